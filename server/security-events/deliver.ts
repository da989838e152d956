import { sql } from 'kysely'
import type { SecurityEventKind } from '#contract/security-event-kinds.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { Queue } from '../platform/worker/queues.ts'
import type { Sink, SinkLine } from './sink.ts'

const BATCH = 500

/** What an attack leaves behind, or looks like. */
const WARNINGS: ReadonlySet<string> = new Set<SecurityEventKind>([
  ...([
    'sign_in_failed',
    'sign_in_locked',
    'code_failed',
    'passkey_failed',
    'confirmation_failed',
    'sso_refused',
  ] as const),
  ...(['new_device', 'passkey_copied', 'recovery_code_used', 'factors_reset'] as const),
  ...(['token_refused', 'token_new_address'] as const),
])

const listUnsent = (db: Db, tenantId: string) =>
  db
    .selectFrom('security_events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .whereRef('sent_count', '<', 'count')
    .orderBy('id')
    .limit(BATCH)
    .execute()

type Row = Awaited<ReturnType<typeof listUnsent>>[number]

const toLine = (row: Row): SinkLine => ({
  at: row.last_at,
  isWarning: WARNINGS.has(row.kind),
  json: JSON.stringify({
    time: row.last_at,
    event: 'security',
    tenant: row.tenant_id,
    id: row.id,
    kind: row.kind,
    firstTime: row.at,
    // Occurrences so far: a row that is folded into again is sent again with a higher count.
    count: row.count,
    account: row.account,
    userId: row.user_id,
    actor: row.actor,
    address: row.address,
    device: row.device,
    details: row.details,
  }),
})

/** Records what was sent. Returns whether more is pending, such as occurrences folded in since. */
const markSent = async (db: Db, tenantId: string, rows: Row[]) => {
  await sql`
    update security_events as event set sent_count = sent.count
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ count }) => count)}::int[]) as sent (id, count)
    where event.tenant_id = ${tenantId} and event.id = sent.id and event.sent_count < sent.count`.execute(db)
  const waiting = await db
    .selectFrom('security_events')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .whereRef('sent_count', '<', 'count')
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

interface Options {
  database: Database
  now: () => Date
  /** Without it, events are marked as sent: a log that is set up later receives only later events. */
  sink: Sink | undefined
}

/** Sends events to the operator's log, at least once: they are marked as sent after they were accepted. */
export const createSecurityEventQueue = ({ database, now, sink }: Options): Queue => ({
  seed: 'tenants',
  concurrency: 4,
  retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
  run: async ({ tenantId }) => {
    const rows = await database.transaction({ tenantId }, (db) => listUnsent(db, tenantId))
    if (rows.length === 0) return undefined
    await sink?.(rows.map(toLine))
    const isMore = await database.transaction({ tenantId }, (db) => markSent(db, tenantId, rows))
    return isMore ? now() : undefined
  },
})
