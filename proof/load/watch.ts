import pg from 'pg'
import { watchCores } from '../cores.ts'
import type { Ledger } from './ledger.ts'

const LOOK_EVERY_MS = 5_000
const LINES_AT_MOST = 60

/** Active connections, grouped by what they do, with the longest duration of each group. */
const ACTIVITY = `
  select count(*)::int as times, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query,
    coalesce(wait_event_type || ' ' || wait_event, 'running') as doing,
    max(extract(epoch from clock_timestamp() - coalesce(xact_start, query_start)))::float8 as seconds
  from pg_stat_activity
  where state <> 'idle' and pid <> pg_backend_pid()
  group by 2, 3 order by seconds desc limit 6`

const readActivity = async (client: pg.Client) => {
  const { rows } = await client.query<{ times: number; query: string; doing: string; seconds: number }>(ACTIVITY)
  return rows.map(({ times, query, doing, seconds }) => `    ${times} × ${doing}, ${seconds.toFixed(1)} s: ${query}`)
}

const describeCores = (percents: ReturnType<ReturnType<typeof watchCores>>) =>
  percents
    ? `cores ${percents.used} % used, ${percents.waitingForDisk} % waiting for the disk; ${percents.stolen} % of what was wanted went to other machines`
    : 'cores unknown'

/** Samples the machine and the database all the time, so that slow periods can be explained. */
export const watchStack = async (connection: pg.ClientConfig, ledger: Ledger) => {
  const client = new pg.Client(connection)
  await client.connect()
  const begin = performance.now()
  const coresMeanwhile = watchCores()
  const moments: string[] = []
  let seen = { responses: 0, slow: 0, errors: 0 }

  const look = async () => {
    const now = { responses: ledger.responseCount(), slow: ledger.slowCount(), errors: ledger.errorCount() }
    const [responses, slow, errors] = [now.responses - seen.responses, now.slow - seen.slow, now.errors - seen.errors]
    seen = now
    const cores = coresMeanwhile()
    if (slow === 0 && errors === 0) return
    const seconds = Math.round((performance.now() - begin) / 1000)
    moments.push(
      `  ${seconds} s: ${responses} responses, ${slow} slow, ${errors} errors; ${describeCores(cores)}`,
      ...(await readActivity(client)),
    )
  }

  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: Error) => void moments.push(`  could not look: ${error.message}`))
  }, LOOK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await looking
    await client.end()
    return moments.slice(0, LINES_AT_MOST)
  }
}
