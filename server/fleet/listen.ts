import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { FLEET_CHANNEL, readNotification } from './notify.ts'

interface Options {
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  onLines: (tenantId: string, lineIds: number[] | 'all') => void
  /** Listening begins, or begins again: whatever was told in between was missed. */
  onConnected: () => void
}

const RETRY_MS = 1_000
const ALIVE_EVERY_MS = 15_000

/** Hears of changed lines on a connection of its own, and comes back by itself when that breaks. */
export const listenForChanges = ({ connection, log, onLines, onConnected }: Options) => {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let broken = false
  let closed = false

  const connect = async () => {
    const next = new pg.Client({ ...connection, keepAlive: true, query_timeout: ALIVE_EVERY_MS })
    client = next
    let over = false
    const end = (error?: Error) => {
      if (over) return
      over = true
      clearInterval(alive)
      next.end().catch(() => {})
      if (closed) return
      if (!broken) log.warn({ err: error }, 'Changes of the fleet are not heard of now; connecting again.')
      broken = true
      retry = setTimeout(connect, RETRY_MS)
    }
    // A connection can die without a sign; asking now and then finds out.
    const alive = setInterval(() => next.query('select 1').catch(end), ALIVE_EVERY_MS)
    next.on('error', end)
    next.on('end', () => end())
    next.on('notification', ({ payload = '' }) => {
      const { tenantId, lineIds } = readNotification(payload)
      onLines(tenantId, lineIds)
    })
    try {
      await next.connect()
      await next.query(`listen ${FLEET_CHANNEL}`)
      if (broken) log.info('Changes of the fleet are heard of again.')
      broken = false
      onConnected()
    } catch (error) {
      end(error as Error)
    }
  }

  const connected = connect()
  return {
    connected,
    close: async () => {
      closed = true
      clearTimeout(retry)
      await client?.end()
    },
  }
}
