import { type RawBuilder, sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { ERASE_ACTION } from '../audit/name-check.ts'
import { nameErased } from '../audit/pseudonyms.ts'
import { recordAudit } from '../audit/record.ts'
import { createSubject, destroyKeys, findLinked } from '../audit/subjects.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import type { Db } from '../platform/database/database.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { type RequestOrigin, recordSecurityEvent } from '../security-events/record.ts'
import { LAST_ADMINISTRATOR, listAdministrators } from '../users/administrators.ts'
import { type Key, personalPlaces } from './places.ts'

interface Person {
  /** The label that replaces the name. */
  label: string
  subjectIds: number[]
  userIds: number[]
  /** In lower case. */
  emails: string[]
  phones: string[]
}

const listUserIds = async (db: Db, tenantId: string, emails: string[]) => {
  const { rows } = await sql<{ id: number }>`
    select id from users where tenant_id = ${tenantId} and lower(email) = any(${emails}) order by id for update`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const listPhones = async (db: Db, tenantId: string, userIds: number[], emails: string[]) => {
  const { rows } = await sql<{ phone: string }>`
    select phone_number as phone from notification_settings where tenant_id = ${tenantId} and user_id = any(${userIds}::bigint[])
    union select phone_number from phone_codes where tenant_id = ${tenantId} and user_id = any(${userIds}::bigint[])
    union select phone_number from sms_consents
      where tenant_id = ${tenantId} and (user_id = any(${userIds}::bigint[]) or lower(email) = any(${emails}))`.execute(
    db,
  )
  return rows.map(({ phone }) => phone).filter((phone) => phone !== null)
}

const findPerson = async (db: Db, tenantId: string, email: string): Promise<Person> => {
  const { emails, ids } = await findLinked(db, tenantId, email)
  // A user whom the log does not name gets a number too.
  const subjectIds = ids.length > 0 ? ids : [await createSubject(db, tenantId, email)]
  const userIds = await listUserIds(db, tenantId, emails)
  const phones = await listPhones(db, tenantId, userIds, emails)
  return { label: nameErased(subjectIds[0] as number), subjectIds, userIds, emails, phones }
}

const matchKey = (column: string, key: Key, { userIds, emails, phones }: Person): RawBuilder<boolean> => {
  const name = sql.ref(column)
  if (key === 'id') return sql`${name} = any(${userIds}::bigint[])`
  if (key === 'phone') return sql`${name} = any(${phones})`
  return sql`lower(${name}) = any(${key === 'email' ? emails : [...emails, ...phones]})`
}

const deleteRows = (db: Db, tenantId: string, table: string, keys: Record<string, Key>, person: Person) => {
  const matches = Object.entries(keys).map(([column, key]) => matchKey(column, key, person))
  return sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and (${sql.join(matches, sql` or `)})`.execute(
    db,
  )
}

const labelRows = async (db: Db, tenantId: string, table: string, keys: Record<string, Key>, person: Person) => {
  const addresses = Object.entries(keys).filter(([, key]) => key === 'email')
  for (const [column, key] of addresses)
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${person.label}
      where tenant_id = ${tenantId} and ${matchKey(column, key, person)}`.execute(db)
}

/** The client's address, and the hash by which further occurrences are folded. */
const clearOrigins = (db: Db, tenantId: string, person: Person) =>
  sql`
    update security_events set address = '', network = '', device = '', fold_key = null
    where tenant_id = ${tenantId} and ${matchKey('actor', 'email', person)}`.execute(db)

/** A pattern of PostgreSQL that finds an address or a number, but not within a longer one, which is somebody else's. */
const findWhole = (identifier: string) => {
  const literal = identifier.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  return `(?<![[:alnum:]_.+-])${literal}(?![[:alnum:]_-]|\\.[[:alnum:]])`
}

/** Texts to others, such as notices for administrators. */
const clearMentions = async (db: Db, tenantId: string, { label, emails, phones }: Person) => {
  for (const identifier of [...emails, ...phones])
    for (const [table, columns] of Object.entries({
      messages: ['subject', 'text', 'html'],
      security_events: ['details'],
      incidents: ['note'],
    }))
      for (const column of columns) {
        const mentioned = findWhole(column === 'html' ? escapeHtml(identifier) : identifier)
        const type = column === 'details' ? sql`::jsonb` : sql``
        const text = sql`${sql.ref(column)}::text`
        await sql`
          update ${sql.table(table)} set ${sql.ref(column)} = regexp_replace(${text}, ${mentioned}, ${label}, 'gi')${type}
          where tenant_id = ${tenantId} and ${text} ~* ${mentioned}`.execute(db)
      }
}

/** Entries from before the log held pseudonyms. They are sealed and cannot be changed. */
const countPlainEntries = async (db: Db, tenantId: string, { emails }: Person) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_log
    where tenant_id = ${tenantId} and (lower(performer) = any(${emails}) or lower(performee) = any(${emails})
      or details::text ~* any(${emails.map(findWhole)}))`.execute(db)
  return rows[0]?.count ?? 0
}

/** At least one other administrator who can sign in must remain. */
const requireOthers = async (db: Db, tenantId: string, { userIds }: Person, performerId: number | undefined) => {
  if (performerId !== undefined && userIds.includes(performerId))
    throw conflict('Another administrator has to erase your data.')
  const administrators = await listAdministrators(db, tenantId)
  const erased = userIds.filter((id) => administrators.has(id))
  if (erased.length > 0 && erased.length === administrators.size) throw conflict(LAST_ADMINISTRATOR)
}

interface By {
  performer: string
  /** Set if a user performs it, who cannot erase themselves. */
  performerId?: number
  now: Date
  /** Absent when a CLI command does it. */
  origin?: RequestOrigin
}

/**
 * Erases everything stored about the current and former holders of this address: users, their data, and mentions
 * elsewhere. The editing log is unchanged, but their names in it become unreadable.
 */
export const erasePerson = async (db: Db, tenantId: string, email: string, by: By) => {
  const { performer, now, origin } = by
  const person = await findPerson(db, tenantId, email)
  await requireOthers(db, tenantId, person, by.performerId)
  for (const [table, { keys, erasure }] of Object.entries(personalPlaces)) {
    if (table === 'security_events') await clearOrigins(db, tenantId, person)
    if (erasure === 'delete') await deleteRows(db, tenantId, table, keys, person)
    if (erasure === 'label') await labelRows(db, tenantId, table, keys, person)
  }
  await clearMentions(db, tenantId, person)
  const erased = { email: null, name: null, role: null, group: null }
  const events = person.userIds.map((userId) => ({
    type: 'user.deleted' as const,
    at: now,
    subject: { userId, ...erased },
  }))
  await publishEvents(db, tenantId, events, now)
  await sql`delete from users where tenant_id = ${tenantId} and id = any(${person.userIds}::bigint[])`.execute(db)
  await destroyKeys(db, tenantId, person.subjectIds, now)
  await recordAudit(db, tenantId, now, {
    performer,
    action: ERASE_ACTION,
    performee: person.label,
    details: { subjects: person.subjectIds, accounts: person.userIds.length },
  })
  await recordSecurityEvent(db, tenantId, now, { kind: 'user_erased', account: person.label, actor: performer, origin })
  const plainEntries = await countPlainEntries(db, tenantId, person)
  return { label: person.label, accounts: person.userIds.length, plainEntries }
}
