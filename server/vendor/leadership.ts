import pg from 'pg'

/** The time in which this process, and no other, does a piece of work. */
export interface Term {
  /** Aborted when the lock is gone: another process may already have it. */
  lost: AbortSignal
  release: () => Promise<void>
}

export interface Leadership {
  /** A term, or null while another process leads. */
  tryLead: (name: string) => Promise<Term | null>
  close: () => Promise<void>
}

const HEARTBEAT_MS = 5_000

/**
 * Advisory locks, all held by one connection of their own: PostgreSQL frees them when this process dies, however it
 * dies. A connection that does not answer counts as lost, so that work stops before another process begins it.
 */
export const createLeadership = (options: pg.ClientConfig): Leadership => {
  const terms = new Map<string, AbortController>()
  let connection: Promise<pg.Client> | undefined
  let closed = false

  let turn: Promise<unknown> = Promise.resolve()
  // One connection runs one statement at a time.
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => {
    const result = turn.then(statement)
    turn = result.catch(() => {})
    return result
  }

  const loseAll = () => {
    connection = undefined
    for (const term of terms.values()) term.abort(new Error('The connection that held the lock is gone.'))
    terms.clear()
  }

  const connect = async () => {
    const client = new pg.Client({ ...connectionOf(options), keepAlive: true, query_timeout: HEARTBEAT_MS })
    let over = false
    const end = () => {
      if (over) return
      over = true
      clearInterval(heartbeat)
      loseAll()
      client.end().catch(() => {})
    }
    client.on('error', end)
    client.on('end', end)
    const heartbeat = setInterval(() => inTurn(() => client.query('select 1')).catch(end), HEARTBEAT_MS)
    try {
      await client.connect()
    } catch (error) {
      end()
      throw error
    }
    return client
  }

  return {
    tryLead: async (name) => {
      // The lock itself would let the same connection in twice.
      if (closed || terms.has(name)) return null
      const term = new AbortController()
      terms.set(name, term)
      try {
        connection ??= connect()
        const client = await connection
        const { rows } = await inTurn(() =>
          client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', [name]),
        )
        if (!rows[0]?.held) {
          terms.delete(name)
          return null
        }
        return {
          lost: term.signal,
          release: async () => {
            if (!terms.delete(name)) return
            await inTurn(() => client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])).catch(
              () => {},
            )
          },
        }
      } catch (error) {
        terms.delete(name)
        throw error
      }
    },
    close: async () => {
      closed = true
      const client = await connection?.catch(() => undefined)
      await client?.end()
    },
  }
}

// A pool keeps its password out of sight of a spread.
const connectionOf = (options: pg.ClientConfig): pg.ClientConfig => {
  const { password } = options
  return { ...options, ...(password === undefined ? {} : { password }) }
}
