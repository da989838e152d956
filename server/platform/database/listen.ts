import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

export interface Subscription {
  channel: string
  onNotification: (payload: string) => void
  /** Listening has started or resumed: notifications sent before this moment were missed. */
  onConnected: () => void
  /** The session and its locks are lost. */
  onLost?: () => void
}

/** The one listening connection of a process. It also runs statements that need a dedicated session. */
export interface Listener {
  /** Resolves once the first attempt to listen has ended, successful or not. */
  subscribe: (subscription: Subscription) => Promise<void>
  /** Rejects while there is no connection. */
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  close: () => Promise<void>
}

interface Options {
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  retryMs?: number
  /** How often an idle connection is checked. */
  checkIntervalMs?: number
}

interface Session {
  query: Listener['query']
  end: (error?: Error) => void
  /** Resolves when the connection is closed. */
  close: () => Promise<void>
}

/** Listens on a dedicated connection, and reconnects when it breaks. */
export const listenToDatabase = ({ connection, log, retryMs = 1_000, checkIntervalMs = 15_000 }: Options): Listener => {
  const subscriptions = new Set<Subscription>()
  let session: Session | undefined
  let opening: Session | undefined
  let retry: NodeJS.Timeout | undefined
  let isBroken = false
  let isClosed = false

  const openSession = (): { session: Session; connected: Promise<unknown> } => {
    const client = new pg.Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: checkIntervalMs,
      query_timeout: checkIntervalMs,
    })
    let isOver = false
    let lastUsedMs = performance.now()
    let turn: Promise<unknown> = Promise.resolve()
    // The driver expects one statement at a time per connection.
    const query: Listener['query'] = (text, values = []) => {
      const result = turn.then(() => client.query(text, values))
      turn = result.catch(() => {})
      return result.then(({ rows }) => {
        lastUsedMs = performance.now()
        return rows as never
      })
    }
    const end = (error?: Error) => {
      if (isOver) return
      isOver = true
      clearInterval(check)
      client.end().catch(() => {})
      onEnd(opened, error)
    }
    // A connection can die silently; a periodic statement detects it.
    const check = setInterval(() => {
      if (performance.now() - lastUsedMs >= checkIntervalMs) query('select 1').catch(end)
    }, checkIntervalMs)
    client.on('error', end)
    client.on('end', () => end())
    client.on('notification', ({ channel, payload = '' }) => {
      for (const each of subscriptions) if (each.channel === channel) each.onNotification(payload)
    })
    const opened: Session = {
      query,
      end,
      close: async () => {
        clearInterval(check)
        isOver = true
        await client.end()
      },
    }
    return { session: opened, connected: client.connect() }
  }

  const onEnd = (ended: Session, error?: Error) => {
    const wasOpen = session === ended
    if (wasOpen) session = undefined
    if (isClosed) return
    if (!isBroken) log.warn({ err: error }, 'The connection that listens to the database broke; connecting again.')
    isBroken = true
    if (wasOpen) for (const { onLost } of subscriptions) onLost?.()
    retry = setTimeout(connect, retryMs)
  }

  const connect = async () => {
    const { session: next, connected } = openSession()
    opening = next
    try {
      await connected
      // Includes subscriptions that are added while this runs.
      for (const { channel } of subscriptions) await next.query(`listen ${channel}`)
      session = next
      if (isBroken) log.info('The connection that listens to the database is back.')
      isBroken = false
      for (const { onConnected } of subscriptions) onConnected()
    } catch (error) {
      next.end(error as Error)
    }
  }

  const firstAttempt = connect()
  return {
    subscribe: async (subscription) => {
      subscriptions.add(subscription)
      const current = session
      if (!current) return firstAttempt
      try {
        await current.query(`listen ${subscription.channel}`)
        subscription.onConnected()
      } catch (error) {
        current.end(error as Error)
      }
    },
    query: (text, values) =>
      session ? session.query(text, values) : Promise.reject(new Error('There is no connection to the database.')),
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await firstAttempt
      await (session ?? opening)?.close()
    },
  }
}
