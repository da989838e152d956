import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import type pg from 'pg'
import { openDatabase } from '#server/platform/database/database.ts'
import { enqueue } from '#server/platform/worker/enqueue.ts'
import { HISTORY_SUBJECT } from '#server/platform/worker/queues.ts'
import { listDevices } from '#server/telemetry/devices.ts'
import { writeHistory } from '#server/telemetry/write-history.ts'
import { buildFleet, type Terminal } from '#simulator/fleet.ts'
import { buildBatches } from './history-batches.ts'
import { type Piece, planHistory } from './history-plan.ts'
import { writeLastReports } from './last-reports.ts'
import { remakeReports } from './past-reports.ts'
import { coverStatus, STEP_MS, writeStatusHistory } from './past-status.ts'

export interface HistoryThreadData {
  connection: pg.PoolConfig
  seed: number
  /** In the order of the simulator's accounts. */
  accounts: { tenantId: string; clientId: string; terminals: number }[]
}

export type HistoryProgress =
  /** Each terminal has its status and last values; of a small fleet also when it was up and down. */
  | { hasStatus: true }
  /** From 0 to 1. */
  | { share: number }

// The app has priority: this thread sleeps twice as long as it works.
const REST_SHARE = 2
/** The status of a larger fleet takes too long to come first. */
const STATUS_FIRST_TERMINALS = 500
/** As far back as pages go. */
const STATUS_DAYS = 30
/** Enough pieces of the history to cover 24 hours, which the list shows. */
const LARGE_FLEET_STATUS_DAYS = 1.25
const HOUR_MS = 3_600_000
const SAMPLE_RETENTION_MS = 47 * HOUR_MS

interface Account {
  tenantId: string
  credentialId: number
  beganMs: number
  /** Sorted by id, as the rows of a batch are written. */
  terminals: { terminal: Terminal; terminalId: number }[]
}

/** There are no terminals to write a history for until the connector has read the inventory. */
const openAccount = async (
  { tenantId, clientId }: HistoryThreadData['accounts'][number],
  terminals: readonly Terminal[],
): Promise<Account> => {
  for (;;) {
    const credential = await database.transaction({ tenantId }, (db) =>
      db
        .selectFrom('vendor_credentials as credential')
        .select((eb) => [
          'credential.id',
          'credential.created_at',
          eb
            .selectFrom('terminals')
            .select(eb.fn.countAll<number>().as('count'))
            .whereRef('terminals.credential_id', '=', 'credential.id')
            .as('terminals'),
        ])
        .where('credential.client_id', '=', clientId)
        .executeTakeFirst(),
    )
    if (credential && (credential.terminals ?? 0) >= terminals.length) {
      const devices = await database.transaction({ tenantId }, listDevices)
      const known = terminals.map((terminal) => ({
        terminal,
        terminalId: devices.terminals.get(terminal.terminalId)?.id as number,
      }))
      known.sort((one, other) => one.terminalId - other.terminalId)
      return { tenantId, credentialId: credential.id, beganMs: credential.created_at.getTime(), terminals: known }
    }
    await pause(500)
  }
}

/**
 * The simulator never renames or moves a line, so its current facts were already valid when its history
 * began.
 */
const writePastFacts = ({ tenantId, beganMs }: Account) => {
  const from = new Date(planHistory(beganMs).at(-1)?.fromMs ?? beganMs)
  return database.transaction({ tenantId }, (db) =>
    sql`
      insert into fact_versions (tenant_id, kind, subject_id, known_at, facts)
      select distinct on (kind, subject_id) tenant_id, kind, subject_id, ${from}::timestamptz, facts from fact_versions
      where tenant_id = ${tenantId} and kind in ('line', 'terminal')
      order by kind, subject_id, known_at
      on conflict do nothing`.execute(db),
  )
}

/** The coverage of a piece is completed with its last batch, so a covered piece is written. */
const isWritten = ({ tenantId, credentialId }: Account, { fromMs, toMs }: Piece) =>
  database.transaction({ tenantId }, async (_, client) => {
    const { rows } = await client.query<{ written: boolean }>(
      `select coalesce(range_agg(span) @> tstzrange($3, $4), false) as written
       from feed_coverage, unnest(observed) as span where tenant_id = $1 and credential_id = $2`,
      [tenantId, credentialId, new Date(fromMs), new Date(toMs)],
    )
    return rows[0]?.written === true
  })

/** The terminals without a status since then, or soon after it, as when a terminal was away just then. */
const selectUnknown = async ({ terminals, ...account }: Account, sinceMs: number): Promise<Account> => {
  const { rows } = await database.transaction(account, (db) =>
    sql<{ terminal_id: number }>`
      select terminal_id from status_intervals where tenant_id = ${account.tenantId}
      group by terminal_id having min(started_at) < ${new Date(sinceMs + HOUR_MS)}`.execute(db),
  )
  const known = new Set(rows.map(({ terminal_id }) => terminal_id))
  return { ...account, terminals: terminals.filter(({ terminalId }) => !known.has(terminalId)) }
}

/** Writes when the terminals were up and down in the last days, and that their feed was observed. */
const writeStatus = async (account: Account, days: number) => {
  const { beganMs } = account
  const fromMs = beganMs - days * 24 * HOUR_MS
  const unknown = await selectUnknown(account, fromMs)
  const piece = { fromMs, toMs: beganMs, stepMs: STEP_MS }
  await writeStatusHistory(database, { ...unknown, feed: account, fleet }, piece)
  await coverStatus(
    database,
    account,
    planHistory(beganMs).filter((each) => each.fromMs >= fromMs),
  )
}

/** Writes a piece batch by batch. `onBatch` gets the number of terminals that were written. */
const writePiece = async (account: Account, piece: Piece, onBatch: (terminals: number) => void) => {
  // One time for all batches, so that all are stored in the same tables.
  const nowMs = Date.now()
  let startedMs = performance.now()
  for (const { rows, isLast } of buildBatches(fleet, account.terminals, piece)) {
    await writeHistory(database, {
      feed: { tenantId: account.tenantId, credentialId: account.credentialId },
      terminals: rows,
      isLast,
      ...piece,
      samplesFromMs: nowMs - SAMPLE_RETENTION_MS,
      nowMs,
    })
    onBatch(rows.length)
    await pause((performance.now() - startedMs) * REST_SHARE)
    startedMs = performance.now()
  }
}

// Listens from the start, because the message may arrive before there is anything to write.
const mayWrite = once(parentPort as MessagePort, 'message')
const { connection, seed, accounts } = workerData as HistoryThreadData
const database = openDatabase({ ...connection, max: 1 }, () => {})
const fleet = buildFleet(
  seed,
  accounts.map(({ terminals }) => terminals),
)
const opened: Account[] = []
for (const [index, account] of accounts.entries())
  opened.push(await openAccount(account, fleet.accounts[index]?.terminals ?? []))

for (const account of opened) await writePastFacts(account)
for (const account of opened) {
  const unknown = await selectUnknown(account, account.beganMs)
  await writeLastReports(database, { ...unknown, feed: account, fleet }, Date.now())
}
const isStatusFirst = fleet.terminals.length <= STATUS_FIRST_TERMINALS
if (isStatusFirst) for (const account of opened) await writeStatus(account, STATUS_DAYS)
parentPort?.postMessage({ hasStatus: true } satisfies HistoryProgress)
await mayWrite
if (!isStatusFirst) for (const account of opened) await writeStatus(account, LARGE_FLEET_STATUS_DAYS)

const plans = opened.map((account) => planHistory(account.beganMs).map((piece) => ({ account, piece })))
const newestFirst = (plans[0] ?? []).flatMap((_, index) => plans.flatMap((plan) => plan[index] ?? []))
const missing: typeof newestFirst = []
for (const each of newestFirst) if (!(await isWritten(each.account, each.piece))) missing.push(each)

// Integers, whose sum is exact.
const sizePiece = (terminals: number, { fromMs, toMs }: Piece) => terminals * (toMs - fromMs)
const total = missing.reduce((sum, { account, piece }) => sum + sizePiece(account.terminals.length, piece), 0)
let done = 0
if (total === 0) parentPort?.postMessage({ share: 1 } satisfies HistoryProgress)
for (const { account, piece } of missing)
  await writePiece(account, piece, (terminals) => {
    done += sizePiece(terminals, piece)
    parentPort?.postMessage({ share: done / total } satisfies HistoryProgress)
  })
if (missing.length > 0)
  for (const { tenantId } of opened) {
    // A slow change shows only in weeks of history.
    await database.transaction({ tenantId }, (db) => enqueue(db, 'warnings', tenantId, { subject: HISTORY_SUBJECT }))
    await remakeReports(database, tenantId)
  }
await database.close()
