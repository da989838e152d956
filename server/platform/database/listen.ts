import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

interface Options {
  connection: pg.ClientConfig
  channel: string
  log: FastifyBaseLogger
  onNotification: (payload: string) => void
  /** Listening begins, or begins again: whatever was told in between was missed. */
  onConnected: () => void
}

const RETRY_MS = 1_000
const ALIVE_EVERY_MS = 15_000

/** Hears of what others tell on a channel, on a connection of its own, and comes back by itself when that breaks. */
export const listenTo = ({ connection, channel, log, onNotification, onConnected }: Options) => {
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
      if (!broken)
        log.warn({ err: error, channel }, 'Notifications of the database are not heard now; connecting again.')
      broken = true
      retry = setTimeout(connect, RETRY_MS)
    }
    // A connection can die without a sign; asking now and then finds out.
    const alive = setInterval(() => next.query('select 1').catch(end), ALIVE_EVERY_MS)
    next.on('error', end)
    next.on('end', () => end())
    next.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      if (broken) log.info({ channel }, 'Notifications of the database are heard again.')
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
