import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { hashLink, NO_HASH } from './chain.ts'

export interface Fault {
  seq: number
  problem: string
}

/** An entry recorded outside the log, with the hash it had. */
export interface Head {
  seq: number
  hash: Buffer
}

export interface Verification {
  entries: number
  head: Head | undefined
  fault: Fault | undefined
}

const BATCH = 1_000

const listEntries = (db: Db, tenantId: string, after: number, until: number) =>
  db
    .selectFrom('audit_log')
    .select(['tenant_id', 'seq', 'at', 'performer', 'action', 'performee', 'details', 'previous_hash', 'hash'])
    // The hash covers milliseconds; what is finer was not written by us.
    .select(sql<boolean>`at = date_trunc('milliseconds', at)`.as('is_exact'))
    .where('tenant_id', '=', tenantId)
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .orderBy('seq')
    .limit(BATCH)
    .execute()

type Entry = Awaited<ReturnType<typeof listEntries>>[number]

const inspect = (entry: Entry, before: Head): Fault | undefined => {
  const { seq } = entry
  if (seq !== before.seq + 1) return { seq: before.seq + 1, problem: missing(before.seq + 1, seq - 1) }
  if (!entry.previous_hash.equals(before.hash))
    return { seq, problem: `Entry ${seq} does not follow the entry before it.` }
  if (!entry.is_exact || !hashLink(before.hash, { ...entry, details: entry.details as Json }).equals(entry.hash))
    return { seq, problem: `Entry ${seq} was changed after it was written.` }
  return undefined
}

const missing = (from: number, to: number) =>
  from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`

const cutOff = (from: number, to: number) =>
  from === to ? `Entry ${from} was cut off the end.` : `Entries ${from} to ${to} were cut off the end.`

/** Where the chain must end, and the hashes recorded of it on the way. */
const listCheckpoints = async (db: Db, tenantId: string, given: Head[]) => {
  const end = await db
    .selectFrom('audit_ends')
    .select(['seq', 'hash'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const mailed = await db
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('seq')
    .execute()
  const checkpoints = [...mailed, ...given, ...(end ? [end] : [])].sort((a, b) => a.seq - b.seq)
  return { checkpoints, until: end?.seq ?? 0 }
}

const findAddedPastEnd = (db: Db, tenantId: string) =>
  db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.min('seq').as('seq'))
    .where('tenant_id', '=', tenantId)
    // One statement, one view: an entry that is being added right now moves the end with it.
    .where('seq', '>', (eb) =>
      eb
        .selectFrom('audit_ends')
        .select((end) => end.fn.coalesce(end.fn.max('seq'), sql<number>`0`).as('seq'))
        .where('tenant_id', '=', tenantId),
    )
    .executeTakeFirst()

const rewritten = (from: number, to: number): Fault => ({
  seq: from,
  problem:
    from === to
      ? `Entry ${to} is not the one whose hash was kept: it was rewritten.`
      : `Among the entries ${from} to ${to} some were rewritten: entry ${to} is not the one whose hash was kept.`,
})

/** Reads the whole chain of a tenant and names the first entry that is not as it was written. */
export const verifyChain = async (db: Db, tenantId: string, given: Head[] = []): Promise<Verification> => {
  const { checkpoints, until } = await listCheckpoints(db, tenantId, given)
  const checkpointsBySeq = Map.groupBy(checkpoints, ({ seq }) => seq)
  let last: Head = { seq: 0, hash: NO_HASH }
  let lastCheckpointSeq = 0
  const findFault = (entry: Entry): Fault | undefined => {
    const fault = inspect(entry, last)
    if (fault) return fault
    last = entry
    const checkpointsHere = checkpointsBySeq.get(entry.seq)
    if (checkpointsHere?.some(({ hash }) => !hash.equals(entry.hash)))
      return rewritten(lastCheckpointSeq + 1, entry.seq)
    if (checkpointsHere) lastCheckpointSeq = entry.seq
    return undefined
  }
  let fault: Fault | undefined
  let batch: Entry[]
  do {
    batch = await listEntries(db, tenantId, last.seq, until)
    for (const entry of batch) fault ??= findFault(entry)
  } while (!fault && batch.length === BATCH)
  const end = checkpoints.at(-1)
  if (!fault && end && end.seq > last.seq) fault = { seq: last.seq + 1, problem: cutOff(last.seq + 1, end.seq) }
  const added = fault ? undefined : await findAddedPastEnd(db, tenantId)
  if (added?.seq) fault = { seq: added.seq, problem: `Entry ${added.seq} was added past the end of the chain.` }
  return { entries: last.seq, head: last.seq > 0 ? { seq: last.seq, hash: last.hash } : undefined, fault }
}
