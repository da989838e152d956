import type { FastifyBaseLogger } from 'fastify'

/** Warns of each thing the first time it is met. Bounded: a vendor that invents a name per answer fills no memory. */
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
