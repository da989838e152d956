import type { FastifyBaseLogger } from 'fastify'

const MAX_NAMES = 1_000
const MAX_NAME_LENGTH = 300

/** Logs each name only the first time. Bounded, so that a vendor that keeps adding names cannot exhaust memory. */
export const createWarnOnce = (log: Pick<FastifyBaseLogger, 'warn'>) => {
  const warned = new Set<string>()
  return (message: string, fullName: string) => {
    const name = fullName.slice(0, MAX_NAME_LENGTH)
    const key = `${message}\n${name}`
    if (warned.has(key) || warned.size >= MAX_NAMES) return
    warned.add(key)
    log.warn({ name }, message)
  }
}

export type WarnOnce = ReturnType<typeof createWarnOnce>
