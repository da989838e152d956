import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import { queueNames } from './queues.ts'

interface Row {
  queue: string
  waiting: number
  oldest_s: number
  running: number
  failing: number
  failures: number
}

const readQueues = async (database: Database): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select queue, coalesce(waiting.count, 0) as waiting, coalesce(waiting.oldest_s, 0) as oldest_s,
      coalesce(running.count, 0) as running, coalesce(failing.count, 0) as failing, coalesce(failed.sum, 0) as failures
    from unnest(${[...queueNames]}::text[]) as queue
    left join (
      select queue, count(*)::int, extract(epoch from now() - min(due_at))::float as oldest_s from jobs
      where queue = any(${[...queueNames]}) and coalesce(lease_until, due_at) <= now() and lease_until is null
      group by 1) as waiting using (queue)
    left join (select queue, count(*)::int from jobs where leased_by is not null group by 1) as running using (queue)
    left join (select queue, count(*)::int from jobs where failures > 0 group by 1) as failing using (queue)
    left join (select queue, sum(total_failures)::float from jobs where total_failures > 0 group by 1) as failed
      using (queue)`.execute(database.outsideTenants)
  return rows
}

/** Metrics of every queue, read from the database, so that each process reports the same values for the installation. */
export const registerJobMetrics = (registry: Registry, database: Database) => {
  // All metrics of a scrape are collected at the same time and share one query.
  let reading: Promise<Row[]> | undefined
  const read = (): Promise<Row[]> => {
    reading ??= readQueues(database)
      // Without the database only these metrics are missing from the scrape.
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const options = { labelNames: ['queue'], registers: [registry] }
  const addGauge = (name: string, help: string, column: Exclude<keyof Row, 'queue'>) =>
    new Gauge({
      ...options,
      name,
      help,
      async collect() {
        const rows = await read()
        this.reset()
        for (const row of rows) this.set({ queue: row.queue }, row[column])
      },
    })
  addGauge('jobs_waiting', 'Jobs that are due and wait for a worker', 'waiting')
  addGauge('jobs_oldest_due_seconds', 'How long the oldest waiting job has been due', 'oldest_s')
  addGauge('jobs_running', 'Jobs that a worker runs', 'running')
  addGauge('jobs_failing', 'Jobs whose last turn failed', 'failing')
  new Counter({
    ...options,
    name: 'jobs_failures_total',
    help: 'Turns that failed',
    async collect() {
      const rows = await read()
      this.reset()
      for (const row of rows) this.inc({ queue: row.queue }, row.failures)
    },
  })
}
