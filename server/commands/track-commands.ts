import { sql } from 'kysely'
import type { CommandKind, CommandState } from '#contract/command-receipt.ts'
import { recordAudit } from '../audit/record.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { findCredential } from '../vendor/credentials.ts'
import { updateCommand } from './command-rows.ts'
import { confirmWithinMs, isSeen, type OpenCommand } from './evidence.ts'
import { findLineState, storeLineState } from './line-state.ts'
import { createCommandClient } from './vendor-client.ts'
import { UNCLEAR } from './vendor-failure.ts'

interface Options {
  database: Database
  secrets: Pick<Secrets, 'open'>
  now: () => Date
}

// No call to the vendor takes longer, so a command still in flight was left behind by a process that exited.
const MAX_CALL_MS = 90_000
const POLL_INTERVAL_MS = 3_000
const VENDOR_POLL_INTERVAL_MS = 30_000

interface Row {
  id: number
  service_line_id: number
  service_line_number: string
  credential_id: number
  kind: CommandKind
  desired: string | null
  state: CommandState
  requested_at: Date
  before: OpenCommand['before']
  opt_in_product_id: string | null
  terminals: { at: string | null; uptime_s: number | null; addresses_at: string | null; ipv4: string[] | null }[]
}

const listOpen = async (db: Db, tenantId: string): Promise<OpenCommand[]> => {
  const { rows } = await sql<Row>`
    select command.id, command.service_line_id, line.service_line_number, line.credential_id, command.kind, command.desired,
      command.state, command.requested_at, command.before, line.opt_in_product_id,
      array(
        select json_build_object('at', latest.at, 'uptime_s', latest.uptime_s, 'addresses_at', address.at,
          'ipv4', address.ipv4)
        from terminals as terminal
        left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
        left join latest_addresses as address on address.tenant_id = terminal.tenant_id
          and address.terminal_id = terminal.id
        where terminal.tenant_id = command.tenant_id and terminal.service_line_id = command.service_line_id
          and (command.terminal_id is null or terminal.id = command.terminal_id)
      ) as terminals
    from commands as command
    join service_lines as line on line.tenant_id = command.tenant_id and line.id = command.service_line_id
    where command.tenant_id = ${tenantId} and command.settled_at is null
    order by command.id
    limit 1000`.execute(db)
  const ms = (moment: string | null) => (moment === null ? null : Date.parse(moment))
  return rows.map((row) => ({
    id: row.id,
    lineId: row.service_line_id,
    serviceLineNumber: row.service_line_number,
    credentialId: row.credential_id,
    kind: row.kind,
    desired: row.desired,
    state: row.state,
    requestedAtMs: row.requested_at.getTime(),
    before: row.before,
    optInProductId: row.opt_in_product_id,
    terminals: row.terminals.map(({ at, uptime_s, addresses_at, ipv4 }) => ({
      sampledAtMs: ms(at),
      uptimeS: uptime_s,
      addressesAtMs: ms(addresses_at),
      ipv4: ipv4 ?? [],
    })),
  }))
}

/** Tracks the commands of a tenant until their effect is observed or the time for it is over. */
export const createCommandTracker = ({ database, secrets, now }: Options) => {
  const polledVendorMs = new Map<string, number>()

  /** The effect of a top-up shows only in the line, and the inventory is synced too rarely to wait for it. */
  const refreshLines = async (tenantId: string, open: readonly OpenCommand[]) => {
    const nowMs = now().getTime()
    for (const { kind, state, lineId, serviceLineNumber, credentialId } of open) {
      const key = `${tenantId}:${lineId}`
      if (kind !== 'opt_in' || state === 'asked') continue
      if (nowMs - (polledVendorMs.get(key) ?? 0) < VENDOR_POLL_INTERVAL_MS) continue
      polledVendorMs.set(key, nowMs)
      const credential = await database.transaction({ tenantId }, (db) =>
        findCredential(db, secrets, tenantId, credentialId),
      )
      const known =
        credential && (await findLineState(createCommandClient({ database, now, credential }), serviceLineNumber))
      if (known) await database.transaction({ tenantId }, (db) => storeLineState(db, tenantId, lineId, known))
    }
  }

  const resolveCommand = async (db: Db, tenantId: string, command: OpenCommand): Promise<boolean> => {
    const at = now()
    const sinceMs = at.getTime() - command.requestedAtMs
    const { id } = command
    if (command.state === 'asked') {
      if (sinceMs < MAX_CALL_MS) return false
      return updateCommand(db, { tenantId, id }, { state: 'unknown', problem: UNCLEAR })
    }
    if (isSeen(command)) return updateCommand(db, { tenantId, id }, { state: 'seen', settledAt: at })
    if (sinceMs < confirmWithinMs[command.kind]) return false
    const changed = await updateCommand(db, { tenantId, id }, { state: 'not confirmed', settledAt: at })
    if (changed)
      await recordAudit(db, tenantId, at, {
        performer: 'command watch',
        action: 'command.not_confirmed',
        performee: command.serviceLineNumber,
        details: { kind: command.kind, desired: command.desired },
      })
    return changed
  }

  return {
    /** Returns when to poll next; undefined if no command is open. */
    poll: async (tenantId: string): Promise<Date | undefined> => {
      const before = await database.transaction({ tenantId }, (db) => listOpen(db, tenantId))
      if (before.length === 0) return undefined
      await refreshLines(tenantId, before)
      await database.transaction({ tenantId }, async (db) => {
        const changed: number[] = []
        for (const command of await listOpen(db, tenantId))
          if (await resolveCommand(db, tenantId, command)) changed.push(command.lineId)
        await notifyLinesChanged(db, tenantId, changed)
      })
      return new Date(now().getTime() + POLL_INTERVAL_MS)
    },
  }
}

/** The queue that tracks the commands of every tenant. */
export const createCommandQueue = (options: Options): Queue => {
  const tracker = createCommandTracker(options)
  return {
    seed: 'tenants',
    concurrency: 4,
    retry: { firstMs: 5_000, longestMs: 60_000 },
    run: ({ tenantId }) => tracker.poll(tenantId),
  }
}
