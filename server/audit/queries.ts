import { sql } from 'kysely'
import type { audit } from '#contract/audit.ts'
import { compareNatural } from '#contract/format/natural-order.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Db } from '../platform/database/database.ts'
import { showNames } from './hide-names.ts'
import { parseErasedName, toPseudonym } from './pseudonyms.ts'
import { listSubjectKeys } from './subjects.ts'

type Filter = RouteInput<typeof audit.download>

/** Matches the person in the filter, by address or as an erased person, in entries of any age. */
const matchPerson = async (db: Db, tenantId: string, person: string) => {
  const keys = await listSubjectKeys(db, tenantId, person)
  const names = [person, ...keys.map((key) => toPseudonym(key, person))]
  const erasedId = parseErasedName(person)
  const prefix = erasedId === undefined ? null : `subject:${erasedId}:%`
  return sql<boolean>`(performer = any(${names}) or performee = any(${names})
    or performer like ${prefix} or performee like ${prefix})`
}

/** A page of the log, newest first; `before` is the last entry of the previous page. */
export const listEntries = async (db: Db, tenantId: string, filter: Filter, limit: number, before?: number) => {
  const { person, action, from, until } = filter
  const isAbout = person ? await matchPerson(db, tenantId, person) : undefined
  const entries = await db
    .selectFrom('audit_log')
    .select(['seq', 'at', 'performer', 'action', 'performee', 'details'])
    .where('tenant_id', '=', tenantId)
    .$if(before !== undefined, (query) => query.where('seq', '<', before as number))
    .$if(isAbout !== undefined, (query) => query.where(isAbout as NonNullable<typeof isAbout>))
    .$if(Boolean(action), (query) => query.where('action', '=', action as string))
    .$if(from !== undefined, (query) => query.where('at', '>=', from as Date))
    .$if(until !== undefined, (query) => query.where('at', '<', until as Date))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return showNames(db, tenantId, entries)
}

const MAX_CHOICES = 1_000

/** The distinct values by a loose index scan: takes as many steps as there are values, not entries. */
const listDistinct = async (db: Db, tenantId: string, column: 'performer' | 'action') => {
  const name = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    with recursive leap as (
      (select ${name} as value from audit_log where tenant_id = ${tenantId} order by ${name} limit 1)
      union all
      select (select ${name} from audit_log where tenant_id = ${tenantId} and ${name} > leap.value order by ${name} limit 1)
      from leap where leap.value is not null
    )
    select value from leap where value is not null limit ${MAX_CHOICES}`.execute(db)
  return rows.map(({ value }) => value)
}

export const listChoices = async (db: Db, tenantId: string) => {
  const performers = await listDistinct(db, tenantId, 'performer')
  const shown = await showNames(
    db,
    tenantId,
    performers.map((performer) => ({ performer, performee: '', details: {} })),
  )
  return {
    performers: [...new Set(shown.map(({ performer }) => performer))].sort(compareNatural),
    actions: await listDistinct(db, tenantId, 'action'),
  }
}
