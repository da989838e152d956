import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Ledger } from './ledger.ts'

const LOOK_EVERY_MS = 5_000
const LINES_AT_MOST = 60

type Counts = Record<string, number>

/** The times of all cores since the start of the machine, where the system tells; stolen ones were given to other machines. */
const readCores = (): Counts => {
  try {
    const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n', 1).join().split(/\s+/).map(Number)
    const [user = 0, nice = 0, system = 0, idle = 0, disk = 0, irq = 0, softIrq = 0, stolen = 0] = times
    return { used: user + nice + system + irq + softIrq, idle, 'waiting for the disk': disk, stolen }
  } catch {
    return {}
  }
}

/** What the connections do that are not idle, the same together, with the longest time that one has been at it. */
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

const change = (before: Counts, after: Counts) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]))

const shares = (times: Counts) => {
  const all = Object.values(times).reduce((sum, time) => sum + time, 0)
  return Object.entries(times)
    .map(([name, time]) => `${name} ${Math.round((100 * time) / all)} %`)
    .join(', ')
}

/** Looks at the machine and the database all the time, so that a time in which people had to wait can be explained. */
export const watchHouse = async (connection: pg.ClientConfig, ledger: Ledger) => {
  const client = new pg.Client(connection)
  await client.connect()
  const begin = performance.now()
  const countAnswers = (): Counts => ({
    answers: ledger.answerCount(),
    slow: ledger.slowCount(),
    errors: ledger.errorCount(),
  })
  const bad: string[] = []
  let answers = countAnswers()
  let cores = readCores()
  const atBegin = cores

  const look = async () => {
    const now = { answers: countAnswers(), cores: readCores() }
    const passed = change(answers, now.answers)
    const lines = [
      `  ${Math.round((performance.now() - begin) / 1000)} s: ${passed.answers} answers, ${passed.slow} slow, ${passed.errors} errors; cores ${shares(change(cores, now.cores))}`,
      ...(await readActivity(client)),
    ]
    if (passed.slow || passed.errors) bad.push(...lines)
    ;({ answers, cores } = now)
  }

  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: Error) => void bad.push(`  could not look: ${error.message}`))
  }, LOOK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await looking
    await client.end()
    return { cores: shares(change(atBegin, readCores())), bad: bad.slice(0, LINES_AT_MOST) }
  }
}
