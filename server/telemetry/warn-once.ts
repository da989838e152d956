import type { FastifyBaseLogger } from 'fastify'

/** Logs each name only the first time. Bounded, so that a vendor that keeps adding names cannot exhaust memory. */
export const createWarnOnce = (log: Pick<FastifyBaseLogger, 'warn'>, limit = 1_000) => {
  const warned = new Set<string>()
  return (message: string, name: string) => {
    const key = `${message}\n${name}`
    if (warned.has(key) || warned.size >= limit) return
    warned.add(key)
    log.warn({ name }, message)
  }
}

export type WarnOnce = ReturnType<typeof createWarnOnce>
