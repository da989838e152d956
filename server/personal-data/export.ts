import { type RawBuilder, sql } from 'kysely'
import type { PersonalData } from '#contract/personal-data.ts'
import { showNames } from '../audit/hide-names.ts'
import { type NamedParts, toPseudonym } from '../audit/pseudonyms.ts'
import { listSubjectKeys } from '../audit/subjects.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { type Key, personalPlaces } from './places.ts'

type LogRow = NamedParts & Record<string, unknown>

// Far more than a user can cause within the retention times. The export states when a table has more.
const MAX_ROWS = 100_000

interface Subject {
  id: number
  email: string
  phone: string | null
  /** What the editing log contains instead of the address. */
  pseudonyms: string[]
}

const findSubject = async (db: Db, tenantId: string, userId: number): Promise<Subject | undefined> => {
  const user = await db
    .selectFrom('users as user')
    .leftJoin('notification_settings as setting', (join) =>
      join.onRef('setting.tenant_id', '=', 'user.tenant_id').onRef('setting.user_id', '=', 'user.id'),
    )
    .select(['user.id', 'user.email', 'setting.phone_number as phone'])
    .where('user.tenant_id', '=', tenantId)
    .where('user.id', '=', userId)
    .executeTakeFirst()
  if (!user) return undefined
  const keys = await listSubjectKeys(db, tenantId, user.email)
  return { ...user, pseudonyms: keys.map((key) => toPseudonym(key, user.email)) }
}

const matchKey = (column: string, key: Key, subject: Subject): RawBuilder<boolean> => {
  const name = sql.ref(column)
  if (key === 'id') return sql`${name} = ${subject.id}`
  if (key === 'phone') return sql`${name} = ${subject.phone}`
  const isAddress = sql<boolean>`(lower(${name}) = ${subject.email.toLowerCase()} or ${name} = any(${subject.pseudonyms}))`
  return key === 'email' ? isAddress : sql`(${isAddress} or ${name} = ${subject.phone})`
}

const listRows = async (db: Db, tenantId: string, table: string, subject: Subject) => {
  const { keys, columns } = personalPlaces[table] as (typeof personalPlaces)[string]
  const matches = Object.entries(keys).map(([column, key]) => matchKey(column, key, subject))
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(found) as row from (
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where tenant_id = ${tenantId} and (${sql.join(matches, sql` or `)})
      limit ${MAX_ROWS + 1}) as found`.execute(db)
  const found = rows.map(({ row }) => row)
  return found.length > MAX_ROWS ? [...found.slice(0, MAX_ROWS), { truncated: true }] : found
}

/** Everything stored about a user of the tenant; undefined if there is no such user. */
export const exportPersonalData = async (
  db: Db,
  { tenantId, services }: Context,
  userId: number,
): Promise<PersonalData | undefined> => {
  const subject = await findSubject(db, tenantId, userId)
  if (!subject) return undefined
  const tables: PersonalData['tables'] = {}
  for (const table of Object.keys(personalPlaces)) {
    const found = await listRows(db, tenantId, table, subject)
    const rows = table === 'audit_log' ? await showNames(db, tenantId, found as LogRow[]) : found
    if (rows.length > 0) tables[table] = rows
  }
  return { exportedAt: services.now(), tenant: tenantId, user: subject.email, tables }
}
