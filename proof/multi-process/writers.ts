import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import { type CallResult, type Client, signIn } from './client.ts'
import { type TenantId, tenantIds } from './tenants.ts'
import { type OwnLine, type WriteKind, writeKinds } from './write-kinds.ts'

export interface Write {
  kind: WriteKind
  tenantId: string
  mark: string
  line: OwnLine
  /** The server confirmed it. After a refusal or without a response, it may or may not have been done. */
  acknowledged: boolean
}

/** The outcome of every write, for comparison with the database. */
export interface Ledger {
  writes: Write[]
  /** Responses of 503 with Retry-After. */
  putOff: number
  unanswered: number
  /** Counts of all other responses, by description. */
  wrong: Map<string, number>
  longestResponseMs: number
}

const WRITERS_OF_METADATA = 4
const AFTER_A_REFUSAL_MS = 50

export const listLines = async (database: Database, tenantId: string): Promise<OwnLine[]> =>
  database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('terminals as t')
      .innerJoin('service_lines as l', (join) =>
        join.onRef('l.tenant_id', '=', 't.tenant_id').onRef('l.id', '=', 't.service_line_id'),
      )
      .select(['l.nickname', 't.device_id as deviceId'])
      .where('l.active', '=', true)
      .orderBy('t.id')
      .execute(),
  )

const recordWrong = ({ wrong }: Ledger, what: string) => wrong.set(what, (wrong.get(what) ?? 0) + 1)

/**
 * A reboot that a killed process left unfinished blocks the next reboot of the terminal for a while. And the simulated vendor,
 * which runs on the same busy machine, may not confirm one in time: the response then says that its outcome is unknown.
 */
const isExpected = ({ name }: WriteKind, { status, body }: CallResult) =>
  name === 'reboot' && (status === 409 || (body as { error?: string }).error === 'vendor_unclear')

/** Users who write without a pause, to the processes at `urls` in turn. */
export const startWriters = async (database: Database, urls: readonly string[], kinds = writeKinds) => {
  const ledger: Ledger = { writes: [], putOff: 0, unanswered: 0, wrong: new Map(), longestResponseMs: 0 }
  const clients = new Map<TenantId, Client>()
  for (const id of tenantIds) clients.set(id, await signIn(urls[0] as string, id))
  let stopped = false
  let turn = 0

  const writeOnce = async (kind: WriteKind, client: Client, mark: string, line: OwnLine) => {
    const { tenantId } = client
    const write: Write = { kind, tenantId, mark, line, acknowledged: false }
    ledger.writes.push(write)
    const url = urls[turn++ % urls.length] as string
    const begin = performance.now()
    const response = await client.call(url, kind.buildRequest(mark, tenantId, line))
    if (!response) {
      ledger.unanswered++
      return false
    }
    ledger.longestResponseMs = Math.max(ledger.longestResponseMs, performance.now() - begin)
    write.acknowledged = response.status === 200
    if (write.acknowledged) return true
    if (response.status === 503 && response.retryAfter !== null) ledger.putOff++
    else if (!isExpected(kind, response))
      recordWrong(ledger, `${kind.name} ${response.status} ${JSON.stringify(response.body)}`)
    return false
  }

  const writer = async (kind: WriteKind, client: Client, name: string, lines: OwnLine[]) => {
    for (let number = 0; !stopped; number++) {
      const line = lines[number % lines.length] as OwnLine
      const done = await writeOnce(kind, client, `${kind.name}-${name}-${number}`, line)
      if (kind.everyMs > 0 || !done) await pause(Math.max(kind.everyMs, done ? 0 : AFTER_A_REFUSAL_MS))
    }
  }

  const writing: Promise<void>[] = []
  for (const [tenantId, client] of clients) {
    const lines = await listLines(database, tenantId)
    for (const kind of kinds) {
      const writers = kind.name === 'metadata' ? WRITERS_OF_METADATA : 1
      for (let nth = 0; nth < writers; nth++) {
        // For metadata each writer has its own line, so that its last value is known.
        const own = kind.name === 'metadata' ? [lines[nth] as OwnLine] : lines.slice(WRITERS_OF_METADATA)
        writing.push(writer(kind, client, `${tenantId}${nth}`, own))
      }
    }
  }
  return {
    ledger,
    clients,
    acknowledged: () => ledger.writes.reduce((sum, write) => sum + Number(write.acknowledged), 0),
    stop: async () => {
      stopped = true
      await Promise.all(writing)
    },
  }
}

export type Writers = Awaited<ReturnType<typeof startWriters>>
