import pg from 'pg'
import { msUntil } from '../multi-process/client.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'
import { tenantIds } from '../multi-process/tenants.ts'
import type { VendorCall, VendorGate } from '../multi-process/vendor-gate.ts'

const MINUTE_MS = 60_000

/** Which process polls the vendor for a tenant, by the lease of its job; undefined if none does. */
export const findLeader = async ({ owner }: MultiProcessStack, tenantId: string) => {
  const client = new pg.Client({ ...owner, user: 'postgres' })
  await client.connect()
  try {
    // The session of a worker holds an advisory lock on the number in its leases.
    const { rows } = await client.query<{ name: string }>(
      `select activity.application_name as name from jobs
       join pg_locks as held on held.objid::bigint = jobs.leased_by
         and held.locktype = 'advisory' and held.granted and held.objsubid = 2
       join pg_stat_activity as activity on activity.pid = held.pid
       where jobs.queue = 'vendor-feeds' and jobs.tenant_id = $1`,
      [tenantId],
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

/** Counts the times that two processes requested the telemetry of one credential at once. */
export const countDoubleReads = (gate: VendorGate) => {
  let doubled = 0
  for (const calls of Map.groupBy(gate.streamCalls(), ({ clientId }) => clientId).values())
    for (const [index, call] of calls.entries()) {
      const next = calls[index + 1]
      if (next && overlaps(call, next)) doubled++
    }
  return doubled
}

/** The highest number of requests of one credential within a minute. */
export const countBusiestMinute = (gate: VendorGate) => {
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

/** Requests the same jobs repeatedly; returns how many were not done, and how many mails were sent twice. */
export const runJobs = async ({ owner, database }: MultiProcessStack, count: number) => {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const { rows: began } = await client.query<{ at: Date }>('select clock_timestamp() as at')
    for (let number = 0; number < count; number++) {
      await client.query(
        `insert into job_requests (queue, tenant_id) select 'audit-heads', id from tenants union all values ('partitions', '')`,
      )
      await client.query(`select pg_notify('jobs', '["partitions","",""]')`)
    }
    const countUndone = async () => {
      const { rows } = await client.query<{ undone: number }>(
        `select count(*)::int + (select count(*)::int from job_requests where queue = any($2)) as undone from jobs
         where queue = any($2) and (finished_at is null or finished_at < $1 or failures > 0)`,
        [began[0]?.at, ['audit-heads', 'partitions']],
      )
      return rows[0]?.undone ?? 1
    }
    const ms = await msUntil(async () => (await countUndone()) === 0)
    const undone = await countUndone()
    let repeated = 0
    for (const tenantId of tenantIds) {
      const rows = await database.transaction({ tenantId }, (db) =>
        db.selectFrom('messages').select('id').where('subject', 'like', 'The editing log of%').execute(),
      )
      repeated += Math.abs(rows.length - HEADS_PER_DAY)
    }
    return { ms, undone, repeated }
  } finally {
    await client.end()
  }
}
