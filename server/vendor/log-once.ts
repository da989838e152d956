import type { FastifyBaseLogger } from 'fastify'

/** Warns of each thing the first time it is met. Bounded: a vendor that invents a name per answer fills no memory. */
export const createOnceLog = (log: Pick<FastifyBaseLogger, 'warn'>, limit = 1_000) => {
  const told = new Set<string>()
  return (message: string, name: string) => {
    const key = `${message}\n${name}`
    if (told.has(key) || told.size >= limit) return
    told.add(key)
    log.warn({ name }, message)
  }
}

export type OnceLog = ReturnType<typeof createOnceLog>
