import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Request } from './client.ts'
import { getAdmin, PASSWORD } from './tenants.ts'

/** A line that only one writer writes to. */
export interface OwnLine {
  nickname: string
  deviceId: string
}

/** A call that changes something and carries a unique mark, and a query that counts the marks in the database. */
export interface WriteKind {
  name: string
  /** Pause of a writer between two of these calls. */
  everyMs: number
  buildRequest: (mark: string, tenantId: string, line: OwnLine) => Request
  countMarks: (db: Db, tenantId: string) => Promise<Map<string, number>>
}

const counted = (rows: { mark: string; count: number }[]) => new Map(rows.map(({ mark, count }) => [mark, count]))

const metadata: WriteKind = {
  name: 'metadata',
  everyMs: 0,
  buildRequest: (mark, _tenantId, { nickname }) => ({
    method: 'PATCH',
    path: `/service-lines/${encodeURIComponent(nickname)}/metadata/metadata1/`,
    body: { value: mark },
  }),
  countMarks: async (db, tenantId) => {
    const { rows } = await sql<{ mark: string; count: number }>`
      select details->'after'->>'metadata1' as mark, count(*)::int as count from audit_log
      where tenant_id = ${tenantId} and action = 'service_line.metadata' group by 1`.execute(db)
    return counted(rows)
  },
}

const buildForm = (email: string) => ({ email, username: 'north', customerName: 'Some One', company: 'Company' })

// A user without a log entry, or with two, counts as wrong, like a missing user.
const countUsers = async (db: Db, tenantId: string, prefix: string) => {
  const { rows } = await sql<{ mark: string; count: number }>`
    select split_part(email, '@', 1) as mark, (
      select count(*)::int from audit_log as entry join data_subject_emails as address
        on address.tenant_id = entry.tenant_id and entry.performee like 'subject:' || address.subject_id || ':%'
      where entry.tenant_id = created.tenant_id and entry.action = 'user.create' and address.email = created.email
    ) as count
    from users as created where tenant_id = ${tenantId} and email like ${`${prefix}%`}`.execute(db)
  return rows
}

const user: WriteKind = {
  name: 'user',
  everyMs: 150,
  buildRequest: (mark) => ({
    method: 'POST',
    path: '/create-user/',
    body: { ...buildForm(`${mark}@mail.example`), initialPassword: PASSWORD, role: 'user' },
  }),
  countMarks: async (db, tenantId) => counted(await countUsers(db, tenantId, 'user-')),
}

const USERS_PER_FILE = 3

const file: WriteKind = {
  name: 'file',
  everyMs: 400,
  buildRequest: (mark) => {
    const rows = Array.from({ length: USERS_PER_FILE }, (_, nth) => [
      ...Object.values(buildForm(`${mark}.${nth}@mail.example`)),
      'user',
      PASSWORD,
    ])
    const csv = [['email', 'username', 'customerName', 'company', 'role', 'initialPassword'], ...rows]
    return {
      method: 'POST',
      path: '/import-users/',
      body: { csv: csv.map((cells) => cells.join(',')).join('\n'), apply: true },
    }
  },
  // All users of a file or none: a partially imported file counts as lost.
  countMarks: async (db, tenantId) => {
    const files = Map.groupBy(await countUsers(db, tenantId, 'file-'), ({ mark }) => mark.replace(/\.\d+$/, ''))
    return new Map(
      [...files].map(([mark, users]) => [
        mark,
        users.length === USERS_PER_FILE ? Math.max(...users.map(({ count }) => count)) : 0,
      ]),
    )
  },
}

const notice: WriteKind = {
  name: 'notice',
  everyMs: 250,
  buildRequest: (mark, tenantId) => ({
    method: 'POST',
    path: '/admin-notification/',
    body: { message: mark, users: [getAdmin(tenantId)] },
  }),
  countMarks: async (db, tenantId) => {
    const { rows } = await sql<{ mark: string; count: number }>`
      select substring(text from 'notice-[a-z0-9-]+') as mark, count(*)::int as count from messages
      where tenant_id = ${tenantId} and text like '%notice-%' group by 1`.execute(db)
    return counted(rows)
  },
}

const reboot: WriteKind = {
  name: 'reboot',
  // The vendor accepts one per second.
  everyMs: 1_200,
  buildRequest: (mark, _tenantId, { nickname, deviceId }) => ({
    method: 'PATCH',
    path: `/reboot-terminal/${encodeURIComponent(nickname)}/`,
    body: { terminal_id: deviceId },
    headers: { 'idempotency-key': mark },
  }),
  countMarks: async (db, tenantId) => {
    const { rows } = await sql<{ mark: string; count: number }>`
      select idempotency_key as mark, count(*)::int as count from commands
      where tenant_id = ${tenantId} and idempotency_key is not null group by 1`.execute(db)
    return counted(rows)
  },
}

export const writeKinds: readonly WriteKind[] = [metadata, user, file, notice, reboot]
