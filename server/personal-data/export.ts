import { type RawBuilder, sql } from 'kysely'
import type { PersonalData } from '#contract/personal-data.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { type Key, personalPlaces } from './places.ts'

// Far more than a user can cause within the retention times. The export says when a table has more.
const MAX_ROWS = 100_000

interface Subject {
  id: number
  email: string
  phone: string | null
}

const findSubject = (db: Db, tenantId: string, userId: number): Promise<Subject | undefined> =>
  db
    .selectFrom('users as user')
    .leftJoin('notification_settings as setting', (join) =>
      join.onRef('setting.tenant_id', '=', 'user.tenant_id').onRef('setting.user_id', '=', 'user.id'),
    )
    .select(['user.id', 'user.email', 'setting.phone_number as phone'])
    .where('user.tenant_id', '=', tenantId)
    .where('user.id', '=', userId)
    .executeTakeFirst()

const matchKey = (column: string, key: Key, { id, email, phone }: Subject): RawBuilder<boolean> => {
  if (key === 'email') return sql`lower(${sql.ref(column)}) = ${email.toLowerCase()}`
  return key === 'id' ? sql`${sql.ref(column)} = ${id}` : sql`${sql.ref(column)} = ${phone}`
}

const listRows = async (db: Db, tenantId: string, table: string, subject: Subject) => {
  const { keys, columns } = personalPlaces[table] as (typeof personalPlaces)[string]
  const matches = Object.entries(keys).map(([column, key]) => matchKey(column, key, subject))
  // Texts go to a number, mails to an address.
  if (table === 'messages' && subject.phone !== null) matches.push(matchKey('recipient', 'phone', subject))
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(found) as row from (
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where tenant_id = ${tenantId} and (${sql.join(matches, sql` or `)})
      limit ${MAX_ROWS + 1}) as found`.execute(db)
  const found = rows.map(({ row }) => row)
  return found.length > MAX_ROWS ? [...found.slice(0, MAX_ROWS), { truncated: true }] : found
}

/** What is stored about a user of the tenant; undefined when there is no such user. */
export const exportPersonalData = async (
  db: Db,
  { tenantId, services }: Context,
  userId: number,
): Promise<PersonalData | undefined> => {
  const subject = await findSubject(db, tenantId, userId)
  if (!subject) return undefined
  const tables: PersonalData['tables'] = {}
  for (const table of Object.keys(personalPlaces)) {
    const rows = await listRows(db, tenantId, table, subject)
    if (rows.length > 0) tables[table] = rows
  }
  return { exportedAt: services.now(), tenant: tenantId, user: subject.email, tables }
}
