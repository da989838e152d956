import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { sendDue } from '../send-due.ts'

/** A number of lines in one place, each with one terminal. Returns their ids. */
export const addLines = (database: Database, tenantId: string, count: number, group: string) =>
  database.transaction({ tenantId }, async (db) => {
    const { rows } = await sql<{ line_id: number; terminal_id: number }>`
      with credential as (
        insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
        values (${tenantId}, '-', '-', ${`client-${group}`}, '\\x00') returning id),
      lines as (
        insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group,
          active, public_ip, city, state)
        select ${tenantId}, credential.id, ${group} || n, 'Nome ' || n, ${group}, 'Dishboard', true, false, 'Nome', 'AK'
        from credential, generate_series(1, ${count}::int) as n returning id, credential_id)
      insert into terminals (tenant_id, credential_id, service_line_id, device_id)
      select ${tenantId}, credential_id, id, 'device-' || id from lines
      returning service_line_id as line_id, id as terminal_id`.execute(db)
    return rows.map((row) => ({ lineId: row.line_id, terminalId: row.terminal_id }))
  })

interface Turn {
  terminalId: number
  status: 'online' | 'offline' | 'no data'
  at: Date
  notedAt: Date
  disabled?: boolean
}

/** Adds status changes of terminals. */
export const addTurns = (database: Database, tenantId: string, turns: readonly Turn[]) =>
  database.transaction({ tenantId }, async (db) => {
    for (const { terminalId, status, at, notedAt, disabled } of turns) {
      await db
        .updateTable('status_intervals')
        .set({ ended_at: at })
        .where('tenant_id', '=', tenantId)
        .where('terminal_id', '=', terminalId)
        .where('ended_at', 'is', null)
        .execute()
      await db
        .insertInto('status_intervals')
        .values({
          tenant_id: tenantId,
          terminal_id: terminalId,
          started_at: at,
          status,
          disabled: disabled ?? false,
          noted_at: notedAt,
        })
        .execute()
    }
  })

export const setPreferences = (database: Database, tenantId: string, userId: number, preferences: object) =>
  database.transaction({ tenantId }, (db) =>
    db
      .insertInto('notification_settings')
      .values({ tenant_id: tenantId, user_id: userId, ...preferences })
      .onConflict((clash) => clash.columns(['tenant_id', 'user_id']).doUpdateSet(preferences))
      .execute(),
  )

/** One worker run at that time. Fails if any user's notifications fail. */
export const sendUntil = async (database: Database, tenantId: string, until: Date) => {
  const failures: unknown[] = []
  const log = { error: (about: object) => void failures.push(about) }
  await sendDue({ database, tenantId, until, log, signal: new AbortController().signal })
  if (failures.length > 0) throw new AggregateError(failures, 'Not every user could be notified.')
}
