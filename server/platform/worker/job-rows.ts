import type { Listener } from '../database/listen.ts'
import { JOBS_CHANNEL, type Job, type JobKey, type QueueName } from './queues.ts'

export type Query = Listener['query']

// Any number that no other advisory lock in this database uses.
const OWNER_LOCKS = 1_684_632_424

const REQUESTS_PER_FOLD = 10_000

/** Takes a session lock that proves to other workers that this owner is alive. False: the number is taken. */
export const tryBecomeOwner = async (query: Query, owner: number): Promise<boolean> => {
  const [row] = await query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [OWNER_LOCKS, owner])
  return row?.locked === true
}

interface Seeded {
  /** All that the worker serves. */
  queues: QueueName[]
  tenantQueues: QueueName[]
  installationQueues: QueueName[]
}

/**
 * Inserts the seeded jobs: one per tenant in queues that work per tenant, and one in queues that work for the installation.
 * Makes jobs due whose time was set while a clock was ahead: those that ended in the future, and once a day those that are
 * due in days. A job that has nothing to do only sets its time again. The later of the clocks of the process and the database
 * decides: one that is behind must not take every time for one in the future.
 */
export const seedJobs = (query: Query, now: Date, { queues, tenantQueues, installationQueues }: Seeded) =>
  query(
    `with clock as (select greatest($1::timestamptz, clock_timestamp()) as latest),
     corrected as (
       update jobs set due_at = $1, finished_at = $1 from clock
       where queue = any($4) and leased_by is null and due_at > latest and (
         finished_at > latest + interval '10 minutes'
         or due_at > latest + interval '2 days' and coalesce(finished_at, '-infinity') < latest - interval '1 day'))
     insert into jobs (queue, tenant_id, due_at)
     select queue, tenant_id, $1 from (
       select queue, id from tenants cross join unnest($2::text[]) as queue
       union all select queue, '' from unnest($3::text[]) as queue) as wanted (queue, tenant_id)
     where not exists (
       select from jobs
       where jobs.queue = wanted.queue and jobs.tenant_id = wanted.tenant_id and jobs.subject = '')
     order by 1, 2
     on conflict do nothing`,
    [now, tenantQueues, installationQueues, queues],
  )

/** Folds committed requests into their jobs. */
export const foldRequests = (query: Query) =>
  query(
    `with request as (
       delete from job_requests
       where id in (select id from job_requests order by id limit $1 for update skip locked)
       returning queue, tenant_id, subject, due_at)
     insert into jobs (queue, tenant_id, subject, due_at)
     select queue, tenant_id, subject, min(due_at) from request group by 1, 2, 3 order by 1, 2, 3
     on conflict (queue, tenant_id, subject) do update set due_at = least(jobs.due_at, excluded.due_at)`,
    [REQUESTS_PER_FOLD],
  )

interface ClaimOptions {
  owner: number
  now: Date
  leaseMs: number
  /** Every queue that this worker serves, with the number of jobs it can take among those ready by `readyBy`. */
  slots: { name: QueueName; free: number; readyBy: Date }[]
  /** Jobs that this worker still runs, even if their leases were lost or have expired. */
  except: JobKey[]
}

/**
 * Claims what can run at this time, and finds when the next job is due. Tenants are served round-robin: a tenant's second
 * job comes after every other tenant's first, whatever their due times.
 */
export const claimJobs = async (query: Query, { owner, now, leaseMs, slots, except }: ClaimOptions) => {
  const [row] = await query<{ claimed: Job[] | null; next_due_at: Date | null }>(
    `with picked as (
       select pick.* from unnest($1::text[], $2::int[], $9::timestamptz[]) as slots (queue, free, ready_by)
       cross join lateral (
         select job.queue, job.tenant_id, job.subject
         from jobs as job
         join (
           select ready.queue, ready.tenant_id, ready.subject, coalesce(ready.lease_until, ready.due_at) as ready_at,
             row_number() over (partition by ready.tenant_id order by coalesce(ready.lease_until, ready.due_at))
               + coalesce(running.count, 0) as turn
           from jobs as ready
           left join (
             select tenant_id, count(*) from jobs where queue = slots.queue and lease_until > $4 group by 1
           ) as running using (tenant_id)
           where ready.queue = slots.queue and coalesce(ready.lease_until, ready.due_at) <= slots.ready_by
             and slots.free > 0
         ) as candidate using (queue, tenant_id, subject)
         where coalesce(job.lease_until, job.due_at) <= $4
           and (job.queue, job.tenant_id, job.subject) not in (select * from unnest($6::text[], $7::text[], $8::text[]))
         order by candidate.turn, candidate.ready_at
         limit slots.free
         for update of job skip locked
       ) as pick
     ), claimed as (
       update jobs as job
       set due_at = null, leased_by = $5, lease_until = $3, fence = job.fence + 1
       from picked
       where job.queue = picked.queue and job.tenant_id = picked.tenant_id and job.subject = picked.subject
       returning json_build_object('queue', job.queue, 'tenantId', job.tenant_id, 'subject', job.subject,
         'fence', job.fence, 'failures', job.failures) as job)
     select (select json_agg(job) from claimed) as claimed,
       (select min(coalesce(lease_until, due_at)) from jobs
        where queue = any($1) and coalesce(lease_until, due_at) > $4) as next_due_at`,
    [
      slots.map(({ name }) => name),
      slots.map(({ free }) => free),
      new Date(now.getTime() + leaseMs),
      now,
      owner,
      except.map(({ queue }) => queue),
      except.map(({ tenantId }) => tenantId),
      except.map(({ subject }) => subject),
      slots.map(({ readyBy }) => readyBy),
    ],
  )
  return { claimed: row?.claimed ?? [], nextDueAt: row?.next_due_at ?? undefined }
}

const KEY = 'queue = $1 and tenant_id = $2 and subject = $3 and fence = $4'
const listKey = ({ queue, tenantId, subject, fence }: Job) => [queue, tenantId, subject, fence]

/** Records a completed turn, and returns when the job is due next: a request made during the turn stays due. */
export const completeJob = async (query: Query, job: Job, now: Date, nextDueAt: Date | undefined) => {
  const [row] = await query<{ due_at: Date | null }>(
    `update jobs set leased_by = null, lease_until = null, due_at = least(due_at, $6), finished_at = $5, failures = 0,
       last_error = null
     where ${KEY} returning due_at`,
    [...listKey(job), now, nextDueAt ?? null],
  )
  return row?.due_at ?? undefined
}

/** Records a failed turn, and returns when the job is due next. A request made during the turn waits for the same backoff. */
export const failJob = async (query: Query, job: Job, now: Date, retryAt: Date | undefined, error: string) => {
  const [row] = await query<{ due_at: Date | null }>(
    `update jobs set leased_by = null, lease_until = null, due_at = coalesce($6, due_at), finished_at = $5,
       failures = failures + 1, total_failures = total_failures + 1, last_error = $7
     where ${KEY} returning due_at`,
    [...listKey(job), now, retryAt ?? null, error],
  )
  return row?.due_at ?? undefined
}

/** Renews the leases of these jobs, and returns those that are still ours. */
export const renewLeases = async (query: Query, leases: { job: Job; until: Date }[]): Promise<number[]> => {
  // In key order, like every statement that locks several rows, so that they do not deadlock.
  const rows = await query<{ index: number }>(
    `with lease as materialized (
       select lease.index, lease.until, jobs.queue, jobs.tenant_id, jobs.subject
       from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[]) with ordinality
         as lease (queue, tenant_id, subject, fence, until, index)
       join jobs on jobs.queue = lease.queue and jobs.tenant_id = lease.tenant_id and jobs.subject = lease.subject
         and jobs.fence = lease.fence and jobs.leased_by is not null
       order by 3, 4, 5 for no key update of jobs)
     update jobs set lease_until = lease.until
     from lease
     where jobs.queue = lease.queue and jobs.tenant_id = lease.tenant_id and jobs.subject = lease.subject
     returning lease.index - 1 as index`,
    [
      leases.map(({ job }) => job.queue),
      leases.map(({ job }) => job.tenantId),
      leases.map(({ job }) => job.subject),
      leases.map(({ job }) => job.fence),
      leases.map(({ until }) => until),
    ],
  )
  return rows.map(({ index }) => index)
}

/**
 * This worker's fair share of the jobs of each of these queues, given the live workers: the remainder goes to the workers
 * with the lowest numbers.
 */
export const readShares = async (query: Query, owner: number, queues: QueueName[]) => {
  const rows = await query<{ queue: QueueName; jobs: number; workers: number; rank: number }>(
    `with workers as materialized (
       select count(*)::int as workers, (count(*) filter (where objid::bigint < $2))::int as rank from pg_locks
       where locktype = 'advisory' and granted and classid::bigint = $1 and objsubid = 2
         and database = (select oid from pg_database where datname = current_database()))
     select queue, workers, rank,
       (select count(*)::int from jobs where jobs.queue = spread.queue and coalesce(lease_until, due_at) is not null) as jobs
     from unnest($3::text[]) as spread (queue), workers`,
    [OWNER_LOCKS, owner, queues],
  )
  const shares = rows.map(({ queue, jobs, workers, rank }) => {
    const everybody = Math.max(1, workers)
    return [queue, Math.floor(jobs / everybody) + (rank < jobs % everybody ? 1 : 0)] as const
  })
  return { shares: new Map(shares), workers: rows[0]?.workers ?? 1, isFirst: rows[0]?.rank === 0 }
}

/** Ends the leases of workers whose session is gone, so that their jobs do not wait for expiry, and wakes the other workers. */
export const releaseOrphans = (query: Query, now: Date) =>
  query(
    `with orphan as materialized (
       select queue, tenant_id, subject from jobs
       where leased_by is not null and leased_by not in (
         select objid::bigint::integer from pg_locks
         where locktype = 'advisory' and granted and classid::bigint = $1 and objsubid = 2
           and database = (select oid from pg_database where datname = current_database()))
       order by 1, 2, 3 for no key update skip locked)
     update jobs set leased_by = null, lease_until = null, due_at = $2
     from orphan
     where jobs.queue = orphan.queue and jobs.tenant_id = orphan.tenant_id and jobs.subject = orphan.subject
     returning pg_notify($3, json_build_array(jobs.queue, jobs.tenant_id, jobs.subject)::text)`,
    [OWNER_LOCKS, now, JOBS_CHANNEL],
  )
