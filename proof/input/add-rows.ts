import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { insertWindow } from '#server/maintenance/window-rows.ts'
import type { Database } from '#server/platform/database/database.ts'
import { buildFigures, encodeFigures } from '#server/reports/testing/figures.ts'
import { NO_FACTS } from '#server/testing/seed-incident.ts'

const DAY_MS = 24 * 3_600_000

/** An incident of terminals that were lost for a minute. */
export const addIncident = (database: Database, tenantId: string, terminalIds: readonly number[]) =>
  database.transaction({ tenantId }, async (db) => {
    const key = { tenant_id: tenantId, id: randomUUID() }
    const backAt = new Date()
    const startedAt = new Date(backAt.getTime() - 60_000)
    const evidence = { observed: 2, back: 0, lostPower: 0, signalQuality: null, obstruction: null, alerts: [] }
    await db
      .insertInto('incidents')
      .values({
        ...key,
        cause: 'power',
        reach: 'terminal',
        confidence: 0.6,
        terminal_count: terminalIds.length,
        started_at: startedAt,
        opened_at: startedAt,
        evidence: JSON.stringify(evidence),
      })
      .execute()
    const times = { lost_at: startedAt, back_at: backAt }
    const loss = { tenant_id: tenantId, ...times, disabled: false, facts: NO_FACTS, incident_id: key.id }
    await db
      .insertInto('terminal_losses')
      .values(terminalIds.map((terminal_id) => ({ ...loss, terminal_id })))
      .execute()
    return key.id
  })

/** A past decision that can be undone. */
export const addDecision = (database: Database, tenantId: string, incidentId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const key = { tenant_id: tenantId, id: randomUUID() }
    await db
      .insertInto('incident_decisions')
      .values({ ...key, kind: 'merge', incident_id: incidentId, decided_at: new Date() })
      .execute()
    const losses = db
      .selectFrom('terminal_losses')
      .select(['tenant_id', sql.val(key.id).as('decision_id'), 'terminal_id', 'lost_at', 'incident_id'])
      .where('tenant_id', '=', tenantId)
      .where('incident_id', '=', incidentId)
    await db
      .insertInto('incident_decision_losses')
      .columns(['tenant_id', 'decision_id', 'terminal_id', 'lost_at', 'former_id'])
      .expression(losses as never)
      .execute()
    return key.id
  })

export const addWindow = async (database: Database, tenantId: string) => {
  const id = randomUUID()
  await database.transaction({ tenantId }, (db) =>
    insertWindow(db, tenantId, {
      id,
      name: 'New mast',
      lineId: null,
      group: 'north',
      area: null,
      timeZone: 'UTC',
      enteredAt: new Date(),
      schedule: {
        repeats: 'weekly',
        days: [1],
        firstDay: '2026-01-01',
        lastDay: null,
        startMinute: 120,
        lengthMinutes: 60,
      },
    }),
  )
  return id
}

/** A report schedule, and one of its reports. */
export const addReport = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const schedule = { tenant_id: tenantId, id: randomUUID() }
    const days = { period: 'week', first_day: '2026-11-02', last_day: '2026-11-08' }
    await db
      .insertInto('report_schedules')
      .values({
        ...schedule,
        name: 'Weekly',
        period: 'week',
        time_zone: 'UTC',
        send_minute: 420,
        next_day: '2026-11-09',
        next_at: new Date(),
      })
      .execute()
    const report = { tenant_id: tenantId, id: randomUUID() }
    await db
      .insertInto('reports')
      .values({
        ...report,
        ...days,
        schedule_id: schedule.id,
        name: 'Weekly',
        group_name: 'north',
        made_at: new Date(),
        figures: encodeFigures(buildFigures('north', 'Dock 7')),
      })
      .execute()
    return { scheduleId: schedule.id, id: report.id }
  })

/** The only webhook, because their number per tenant is limited. It has sent one event. */
export const addWebhook = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    await db.deleteFrom('webhook_endpoints').where('tenant_id', '=', tenantId).execute()
    const key = { tenant_id: tenantId, id: randomUUID() }
    const now = new Date()
    await db
      .insertInto('webhook_endpoints')
      .values({
        ...key,
        name: 'Desk',
        url: 'https://hooks.example/',
        format: 'standard',
        event_types: ['incident.opened'],
        sealed_secret: Buffer.of(0),
        created_at: now,
      })
      .execute()
    const deliveryId = randomUUID()
    await db
      .insertInto('webhook_deliveries')
      .values({
        tenant_id: tenantId,
        id: deliveryId,
        endpoint_id: key.id,
        type: 'ping',
        subject: '{}',
        state: 'delivered',
        occurred_at: now,
        created_at: now,
        due_at: now,
        give_up_at: now,
      })
      .execute()
    return { id: key.id, deliveryId }
  })

/** A mail that was sent. */
export const addMessage = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const id = randomUUID()
    await db
      .insertInto('messages')
      .values({
        tenant_id: tenantId,
        id,
        channel: 'email',
        recipient: 'ada@alpha.example',
        subject: 'Hello',
        text: 'Hello',
        message_id: `<${id}@alpha.dishboard>`,
        state: 'sent',
        finished_at: new Date(),
      })
      .execute()
    return id
  })

/** A link to an incident, by its administrator. */
export const addShareLink = (database: Database, tenantId: string, incidentId: string, userId: number) =>
  database.transaction({ tenantId }, async (db) => {
    const id = randomUUID()
    await db
      .insertInto('share_links')
      .values({
        tenant_id: tenantId,
        id,
        secret_hash: randomBytes(32),
        kind: 'incident',
        incident_id: incidentId,
        title: 'Outage',
        created_at: new Date(),
        created_by: userId,
        expires_at: new Date(Date.now() + DAY_MS),
      })
      .execute()
    return id
  })

/** Bulk changes of a line by the user with this address: one that can be stopped, and one that can be undone. */
export const addBulkChanges = (database: Database, tenantId: string, email: string, lineId: number) =>
  database.transaction({ tenantId }, async (db) => {
    const changes = [
      { id: randomUUID(), state: 'running', line: 'waiting' },
      { id: randomUUID(), state: 'finished', line: 'done' },
    ]
    const user = db.selectFrom('users').select('id').where('tenant_id', '=', tenantId).where('email', '=', email)
    for (const { id, state, line } of changes) {
      const kind = { kind: 'metadata', field: 'metadata1' }
      await db
        .insertInto('bulk_changes')
        .values({ tenant_id: tenantId, id, user_id: user, ...kind, state, started_at: new Date() })
        .execute()
      await db
        .insertInto('bulk_lines')
        .values({ tenant_id: tenantId, bulk_id: id, position: 1, service_line_id: lineId, place: 1, state: line })
        .execute()
    }
    return changes.map(({ id }) => id)
  })

/** A view of the user with this address. */
export const addSavedView = (database: Database, tenantId: string, email: string) =>
  database.transaction({ tenantId }, async (db) => {
    const id = randomUUID()
    const owner = db.selectFrom('users').select('id').where('tenant_id', '=', tenantId).where('email', '=', email)
    await db
      .insertInto('saved_views')
      .values({
        tenant_id: tenantId,
        id,
        owner_id: owner,
        name: `View ${id}`,
        page: 'table',
        state: '{}',
        audience: 'nobody',
        changed_at: new Date(),
      })
      .execute()
    return id
  })
