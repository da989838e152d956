import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { hashLink, NO_HASH } from './chain.ts'
import { type Checkpoint, listCheckpoints } from './checkpoints.ts'
import { findAuditKey, getCurrentKey } from './keys.ts'
import { NameCheck } from './name-check.ts'
import { listPseudonyms } from './pseudonyms.ts'
import { loadKeys } from './subjects.ts'

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

interface Options {
  /** An entry up to which the chain is known to be intact: only later entries are read. */
  after?: Head | undefined
  /** False: only compares the hashes. For a database with a different schema or key. */
  withSeals?: boolean
}

const listEntries = (db: Db, tenantId: string, after: number, until: number, withSeals: boolean) =>
  db
    .selectFrom('audit_log')
    .select(['tenant_id', 'seq', 'at', 'performer', 'action', 'performee', 'details', 'previous_hash', 'hash'])
    // The hash covers milliseconds; a finer timestamp was not written by us.
    .select(sql<boolean>`at = date_trunc('milliseconds', at)`.as('is_exact'))
    .$if(withSeals, (query) => query.select(['key_id', 'seal']))
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
  if (!entry.is_exact || !hashLink(before.hash, entry).equals(entry.hash))
    return { seq, problem: `Entry ${seq} was changed after it was written.` }
  return undefined
}

/** Loads the keys of the persons named in the entries, unless already loaded. */
const addKeys = async (db: Db, tenantId: string, keys: Map<number, Buffer>, entries: Entry[]) => {
  const ids = entries.flatMap((entry) => listPseudonyms(entry).map(({ id }) => id))
  const loaded = await loadKeys(
    db,
    tenantId,
    ids.filter((id) => !keys.has(id)),
  )
  for (const [id, key] of loaded) keys.set(id, key)
}

const inspectNames = (names: NameCheck, entry: Entry): Fault | undefined => {
  const problem = names.read(entry)
  return problem === undefined ? undefined : { seq: entry.seq, problem }
}

const missing = (from: number, to: number) =>
  from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`

const cutOff = (from: number, to: number) =>
  from === to ? `Entry ${from} was cut off the end.` : `Entries ${from} to ${to} were cut off the end.`

type SealState = 'valid' | 'wrong' | 'unknown'

/** Unknown: without a seal, or with a seal of a key that this process does not have. */
const checkSeal = ({ key_id, seal, hash }: Entry): SealState => {
  const key = key_id ? findAuditKey(key_id) : undefined
  if (!key || !seal) return 'unknown'
  return key.seal(hash).equals(seal) ? 'valid' : 'wrong'
}

const findAddedPastEnd = (db: Db, tenantId: string) =>
  db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.min('seq').as('seq'))
    .where('tenant_id', '=', tenantId)
    // In one statement and so one snapshot: an entry added concurrently moves the end too.
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
      ? `Entry ${to} is not the one whose hash was recorded: it was rewritten.`
      : `Among the entries ${from} to ${to} some were rewritten: entry ${to} is not the one whose hash was recorded.`,
})

/** Compares each entry with the previous one, its seal, and its checkpoints. */
class ChainReader {
  last: Head
  #lastCheckpointSeq: number
  /** The first entry without a valid seal, until a trusted checkpoint covers it. */
  unsealedSeq: number | undefined
  readonly #checkpoints: Map<number, Checkpoint[]>
  readonly #withSeals: boolean

  constructor(start: Head, checkpoints: Checkpoint[], withSeals: boolean) {
    this.last = start
    this.#lastCheckpointSeq = start.seq
    this.#checkpoints = Map.groupBy(checkpoints, ({ seq }) => seq)
    this.#withSeals = withSeals
  }

  read(entry: Entry): Fault | undefined {
    const fault = inspect(entry, this.last) ?? (this.#withSeals ? this.#inspectSeal(entry) : undefined)
    if (fault) return fault
    this.last = { seq: entry.seq, hash: entry.hash }
    return this.#compare(entry, this.#checkpoints.get(entry.seq) ?? [])
  }

  #inspectSeal(entry: Entry): Fault | undefined {
    const state = checkSeal(entry)
    if (state === 'unknown') this.unsealedSeq ??= entry.seq
    return state === 'wrong'
      ? { seq: entry.seq, problem: `Entry ${entry.seq} was not written by Dishboard: its seal is wrong.` }
      : undefined
  }

  #compare({ seq, hash }: Entry, here: Checkpoint[]): Fault | undefined {
    const different = here.find((checkpoint) => !checkpoint.hash.equals(hash))
    if (different?.isAnchor && !different.isTrusted())
      return { seq, problem: `The anchor of entry ${seq} was changed after it was written.` }
    if (different) return rewritten(this.#lastCheckpointSeq + 1, seq)
    if (here.length > 0) this.#lastCheckpointSeq = seq
    if (this.unsealedSeq !== undefined && here.some(({ isTrusted }) => isTrusted())) this.unsealedSeq = undefined
    return undefined
  }
}

const describeUnsealed = (seq: number): Fault => ({
  seq,
  problem: `Entry ${seq} has no valid seal, and no anchor covers it.`,
})

/**
 * Reads the chain of a tenant and names the first entry that was changed. `given` are hashes from outside the database:
 * the anchor file, or a mail.
 */
export const verifyChain = async (
  db: Db,
  tenantId: string,
  given: Head[] = [],
  { after, withSeals = getCurrentKey() !== undefined }: Options = {},
): Promise<Verification> => {
  const start = after ?? { seq: 0, hash: NO_HASH }
  const { checkpoints, end } = await listCheckpoints(db, tenantId, given, { afterSeq: start.seq, withSeals })
  const chain = new ChainReader({ seq: start.seq, hash: start.hash }, checkpoints, withSeals)
  let fault: Fault | undefined
  if (end && end.seq < start.seq) fault = { seq: end.seq + 1, problem: cutOff(end.seq + 1, start.seq) }
  else if (end?.seq === start.seq && !end.hash.equals(start.hash)) fault = rewritten(start.seq, start.seq)
  let batch: Entry[] = []
  const names = new NameCheck()
  do {
    if (!fault) batch = await listEntries(db, tenantId, chain.last.seq, end?.seq ?? 0, withSeals)
    if (withSeals) await addKeys(db, tenantId, names.keys, batch)
    for (const entry of batch) fault ??= chain.read(entry) ?? (withSeals ? inspectNames(names, entry) : undefined)
  } while (!fault && batch.length === BATCH)
  const { last, unsealedSeq } = chain
  const furthest = checkpoints.findLast(({ isTrusted, isAnchor }) => !isAnchor || isTrusted())
  if (!fault && furthest && furthest.seq > last.seq)
    fault = { seq: last.seq + 1, problem: cutOff(last.seq + 1, furthest.seq) }
  const added = fault ? undefined : await findAddedPastEnd(db, tenantId)
  if (added?.seq) fault = { seq: added.seq, problem: `Entry ${added.seq} was added past the end of the chain.` }
  fault ??= names.findUnexplained()
  if (unsealedSeq !== undefined && (!fault || unsealedSeq < fault.seq)) fault = describeUnsealed(unsealedSeq)
  return { entries: last.seq, head: last.seq > 0 ? last : undefined, fault }
}
