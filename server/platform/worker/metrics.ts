import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/database.ts'

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
    select queue,
      count(*) filter (where lease_until is null and due_at <= now())::int as waiting,
      coalesce(extract(epoch from now() - min(due_at) filter (where lease_until is null and due_at <= now())), 0)::float
        as oldest_s,
      count(*) filter (where lease_until is not null)::int as running,
      count(*) filter (where failures > 0)::int as failing,
      sum(total_failures)::float as failures
    from jobs group by queue`.execute(database.outsideTenants)
  return rows
}

/** Metrics of every queue, read from the database, so that each process reports the same for the installation. */
export const registerJobMetrics = (registry: Registry, database: Database) => {
  // All metrics of a scrape are collected at the same time and share one query.
  let reading: Promise<Row[]> | undefined
  const read = (): Promise<Row[]> => {
    reading ??= readQueues(database)
      // Without the database these metrics are missing from the scrape; the others are not.
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
