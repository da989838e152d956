import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type pg from 'pg'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { listDevices } from '#server/telemetry/devices.ts'
import type { TerminalRows } from '#server/telemetry/stage-samples.ts'
import { writeHistory } from '#server/telemetry/write-history.ts'
import { createChanges } from '#simulator/changes.ts'
import { buildFleet, type Fleet, type Terminal } from '#simulator/fleet.ts'
import { readTerminal } from '#simulator/reading.ts'
import { getCell } from '#simulator/rows.ts'
import { terminalMeasures } from '#starlink/telemetry-measures.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { type Piece, planHistory } from './history-plan.ts'

export interface HistoryThreadData {
  connection: pg.PoolConfig
  seed: number
  /** In the order of the simulator's accounts. */
  accounts: { tenantId: string; clientId: string; terminals: number }[]
}

export interface HistoryProgress {
  done: number
  pieces: number
}

// The app has priority: this thread sleeps twice as long as it works.
const REST_SHARE = 2
const SAMPLE_RETENTION_MS = 47 * 3_600_000

const changes = createChanges()

const buildSample = (fleet: Fleet, terminal: Terminal, atMs: number): TerminalSample | null => {
  const reading = readTerminal(fleet, changes, terminal, atMs)
  return (
    reading && {
      ...reading,
      values: terminalMeasures.map(({ name }) => reading[name]),
      deviceId: terminal.terminalId,
      atMs,
      atUs: atMs * 1000,
      h3Cell: getCell(fleet.seed, terminal, atMs),
      countryCode: 'US',
    }
  )
}

const buildSamples = (fleet: Fleet, terminal: Terminal, { fromMs, toMs, stepMs }: Piece) => {
  const samples: TerminalSample[] = []
  for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs < toMs; atMs += stepMs) {
    const sample = buildSample(fleet, terminal, atMs)
    if (sample) samples.push(sample)
  }
  return samples
}

interface Account {
  tenantId: string
  credentialId: number
  beganMs: number
  terminals: readonly Terminal[]
  terminalIds: Map<string, number>
}

/** There are no terminals to write a history for until the connector has read the inventory. */
const openAccount = async (
  database: Database,
  { tenantId, clientId }: HistoryThreadData['accounts'][number],
  terminals: readonly Terminal[],
): Promise<Account> => {
  for (;;) {
    const { credential, devices } = await database.transaction({ tenantId }, async (db) => ({
      credential: await db
        .selectFrom('vendor_credentials')
        .select(['id', 'created_at'])
        .where('client_id', '=', clientId)
        .executeTakeFirst(),
      devices: await listDevices(db),
    }))
    if (credential && devices.terminals.size >= terminals.length) {
      const terminalIds = new Map([...devices.terminals].map(([deviceId, { id }]) => [deviceId, id]))
      return { tenantId, credentialId: credential.id, beganMs: credential.created_at.getTime(), terminals, terminalIds }
    }
    await pause(500)
  }
}

/** A piece and its coverage are written in one transaction, so a covered piece is complete. */
const isWritten = (database: Database, { tenantId, credentialId }: Account, { fromMs, toMs }: Piece) =>
  database.transaction({ tenantId }, async (_, client) => {
    const { rows } = await client.query<{ written: boolean }>(
      `select coalesce(range_agg(span) @> tstzrange($3, $4), false) as written
       from feed_coverage, unnest(observed) as span where tenant_id = $1 and credential_id = $2`,
      [tenantId, credentialId, new Date(fromMs), new Date(toMs)],
    )
    return rows[0]?.written === true
  })

const writePiece = async (database: Database, fleet: Fleet, account: Account, piece: Piece) => {
  const rows = account.terminals.map(
    (terminal): TerminalRows => ({
      terminalId: account.terminalIds.get(terminal.terminalId) as number,
      samples: buildSamples(fleet, terminal, piece),
    }),
  )
  rows.sort((one, other) => one.terminalId - other.terminalId)
  const nowMs = Date.now()
  await writeHistory(database, {
    feed: { tenantId: account.tenantId, credentialId: account.credentialId },
    terminals: rows,
    ...piece,
    samplesFromMs: nowMs - SAMPLE_RETENTION_MS,
    nowMs,
  })
}

const { connection, seed, accounts } = workerData as HistoryThreadData
const database = openDatabase({ ...connection, max: 1 }, () => {})
const fleet = buildFleet(
  seed,
  accounts.map(({ terminals }) => terminals),
)
const opened: Account[] = []
for (const [index, account] of accounts.entries())
  opened.push(await openAccount(database, account, fleet.accounts[index]?.terminals ?? []))

const plans = opened.map((account) => planHistory(account.beganMs).map((piece) => ({ account, piece })))
const newestFirst = (plans[0] ?? []).flatMap((_, index) => plans.flatMap((plan) => plan[index] ?? []))
const missing: typeof newestFirst = []
for (const each of newestFirst) if (!(await isWritten(database, each.account, each.piece))) missing.push(each)
for (const [index, { account, piece }] of missing.entries()) {
  const startedMs = performance.now()
  await writePiece(database, fleet, account, piece)
  parentPort?.postMessage({ done: index + 1, pieces: missing.length } satisfies HistoryProgress)
  await pause((performance.now() - startedMs) * REST_SHARE)
}
await database.close()
