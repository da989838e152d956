import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { msUntil } from '../multi-process/client.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'
import { tenantIds } from '../multi-process/tenants.ts'
import type { VendorCall, VendorGate } from '../multi-process/vendor-gate.ts'

const MINUTE_MS = 60_000
const JOBS_WITHIN_MS = 60_000

/** Which process reads the vendor for a tenant, as the locks in the database tell; undefined when none or several do. */
export const findLeader = async ({ database, owner }: MultiProcessStack, tenantId: string) => {
  const credential = await database.transaction({ tenantId }, (db) =>
    db.selectFrom('vendor_credentials').select('id').executeTakeFirstOrThrow(),
  )
  const client = new pg.Client({ ...owner, user: 'postgres' })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select activity.application_name as name from pg_locks as held
       join pg_stat_activity as activity on activity.pid = held.pid
       where held.locktype = 'advisory' and held.granted
         and (held.classid::bigint << 32) | held.objid::bigint = hashtextextended($1, 0)`,
      [`vendor:${tenantId}:${credential.id}`],
    )
    return rows.length === 1 ? rows[0]?.name : undefined
  } finally {
    await client.end()
  }
}

const callsByClient = ({ calls }: VendorGate) =>
  Map.groupBy(
    calls.filter(({ clientId }) => clientId !== ''),
    ({ clientId }) => clientId,
  )

const overlaps = (one: VendorCall, other: VendorCall) =>
  other.token !== one.token && other.beganMs < (one.endedMs ?? Number.POSITIVE_INFINITY)

/** Times that two processes asked for the telemetry of one credential at once. */
export const countDoubleReads = (gate: VendorGate) => {
  let doubled = 0
  for (const calls of Map.groupBy(gate.streamCalls(), ({ clientId }) => clientId).values())
    for (const [index, call] of calls.entries()) {
      const next = calls[index + 1]
      if (next && overlaps(call, next)) doubled++
    }
  return doubled
}

/** The most requests that one credential sent within any minute. */
export const mostInAMinute = (gate: VendorGate) => {
  let most = 0
  for (const calls of callsByClient(gate).values()) {
    let first = 0
    for (const [index, { beganMs }] of calls.entries()) {
      while ((calls[first] as VendorCall).beganMs <= beganMs - MINUTE_MS) first++
      most = Math.max(most, index - first + 1)
    }
  }
  return most
}

const HEADS_PER_DAY = 1

/** Gives both workers the same jobs at once; returns how many were not done once, and what was said twice because of it. */
export const runJobs = async ({ owner, database }: MultiProcessStack, count: number) => {
  const boss = new PgBoss({ ...owner, supervise: false, schedule: false, migrate: false })
  boss.on('error', () => {})
  await boss.start()
  try {
    const ids: { queue: string; id: string | null }[] = []
    for (let number = 0; number < count; number++)
      for (const queue of ['mail-audit-heads', 'keep-partitions']) ids.push({ queue, id: await boss.send(queue, {}) })
    const listJobs = () =>
      Promise.all(ids.map(async ({ queue, id }) => (id ? (await boss.findJobs(queue, { id }))[0] : undefined)))
    const isDone = async () => (await listJobs()).every((job) => job?.state === 'completed')
    const ms = await msUntil(isDone, JOBS_WITHIN_MS)
    const undone = (await listJobs()).filter((job) => job?.state !== 'completed' || job.retryCount > 0).length
    let repeated = 0
    for (const tenantId of tenantIds) {
      const rows = await database.transaction({ tenantId }, (db) =>
        db.selectFrom('messages').select('id').where('subject', 'like', 'The editing log of%').execute(),
      )
      repeated += Math.abs(rows.length - HEADS_PER_DAY)
    }
    return { ms, undone, repeated }
  } finally {
    await boss.stop({ graceful: false })
  }
}
