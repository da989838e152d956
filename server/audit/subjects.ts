import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { SubjectKey } from './pseudonyms.ts'

/** The keys of the persons with these current or former addresses, by lowercase address. Usually one each. */
const findByEmail = async (db: Db, tenantId: string, emails: readonly string[]) => {
  const { rows } = await sql<{ email: string; id: number; key: Buffer }>`
    select email, id, key from data_subject_emails as address
    join data_subjects as subject on subject.tenant_id = address.tenant_id and subject.id = address.subject_id
    where address.tenant_id = ${tenantId} and email = any(${emails}) and key is not null
    order by id`.execute(db)
  return Map.groupBy(rows, ({ email }) => email)
}

const createSubjects = async (
  db: Db,
  tenantId: string,
  emails: readonly string[],
): Promise<Map<string, SubjectKey>> => {
  const keys = emails.map(() => randomBytes(32))
  const created = await db
    .insertInto('data_subjects')
    .values(keys.map((key) => ({ tenant_id: tenantId, key })))
    .returning(['id', 'key'])
    .execute()
  const subjects = new Map(
    created.map(({ id, key }, at): [string, SubjectKey] => [emails[at] as string, { id, key: key as Buffer }]),
  )
  await db
    .insertInto('data_subject_emails')
    .values([...subjects].map(([email, { id }]) => ({ tenant_id: tenantId, email, subject_id: id })))
    .execute()
  return subjects
}

/** PostgreSQL allows at most 65,535 parameters. */
const MAX_CREATED = 5_000

/** The key of each address's owner; unknown owners get a new one. Concurrent calls may create two, which are linked. */
export const ensureSubjects = async (db: Db, tenantId: string, emails: readonly string[]) => {
  const addresses = [...new Set(emails.map((email) => email.toLowerCase()))]
  const known = await findByEmail(db, tenantId, addresses)
  const subjects = new Map([...known].map(([email, [first]]): [string, SubjectKey] => [email, first as SubjectKey]))
  const missing = addresses.filter((email) => !subjects.has(email))
  for (let at = 0; at < missing.length; at += MAX_CREATED)
    for (const [email, subject] of await createSubjects(db, tenantId, missing.slice(at, at + MAX_CREATED)))
      subjects.set(email, subject)
  return subjects
}

/** Returns the subject id of a person, even if no entry names them. */
export const createSubject = async (db: Db, tenantId: string, email: string) =>
  ((await ensureSubjects(db, tenantId, [email])).get(email.toLowerCase()) as SubjectKey).id

/** The keys of the current and former owners of an address. */
export const listSubjectKeys = async (db: Db, tenantId: string, email: string): Promise<SubjectKey[]> =>
  (await findByEmail(db, tenantId, [email.toLowerCase()])).get(email.toLowerCase()) ?? []

const selectKeys = async (db: Db, tenantId: string, condition: RawBuilder<unknown>) => {
  const { rows } = await sql<SubjectKey>`
    select id, key from data_subjects where tenant_id = ${tenantId} and key is not null and ${condition}`.execute(db)
  return new Map(rows.map(({ id, key }) => [id, key]))
}

/** By id; destroyed keys are omitted. */
export const loadKeys = async (db: Db, tenantId: string, ids: readonly number[]): Promise<Map<number, Buffer>> =>
  ids.length === 0 ? new Map() : selectKeys(db, tenantId, sql`id = any(${[...new Set(ids)]}::bigint[])`)

export const loadAllKeys = (db: Db, tenantId: string) => selectKeys(db, tenantId, sql`true`)

/** Links a user's new address to the same person. */
export const linkEmail = async (db: Db, tenantId: string, before: string, after: string) => {
  const subject = (await ensureSubjects(db, tenantId, [before])).get(before.toLowerCase()) as SubjectKey
  await db
    .insertInto('data_subject_emails')
    .values({ tenant_id: tenantId, email: after.toLowerCase(), subject_id: subject.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All subjects that share an address with the owner of this one, and all their addresses. */
export const findLinked = async (db: Db, tenantId: string, email: string) => {
  const { rows } = await sql<{ email: string; id: number }>`
    with recursive linked as (
      select email, subject_id from data_subject_emails where tenant_id = ${tenantId} and email = ${email.toLowerCase()}
      union
      select address.email, address.subject_id from linked join data_subject_emails as address
        on address.tenant_id = ${tenantId} and (address.email = linked.email or address.subject_id = linked.subject_id)
    )
    select email, subject_id as id from linked`.execute(db)
  return {
    emails: [...new Set([email.toLowerCase(), ...rows.map((row) => row.email)])],
    ids: [...new Set(rows.map(({ id }) => id))].sort((a, b) => a - b),
  }
}

/** Makes their names in the log permanently unreadable (crypto-shredding). */
export const destroyKeys = async (db: Db, tenantId: string, ids: readonly number[], now: Date) => {
  await sql`delete from data_subject_emails where tenant_id = ${tenantId} and subject_id = any(${ids}::bigint[])`.execute(
    db,
  )
  await sql`
    update data_subjects set key = null, erased_at = ${now}
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) and key is not null`.execute(db)
}
