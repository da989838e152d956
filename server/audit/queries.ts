import { sql } from 'kysely'
import type { audit } from '#contract/audit.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Db } from '../platform/database/database.ts'

type Filter = RouteInput<typeof audit.download>

/** A page of the log, newest first; `before` is the last entry of the page before. */
export const listEntries = (db: Db, tenantId: string, filter: Filter, limit: number, before?: number) => {
  const { person: user, action, from, until } = filter
  return db
    .selectFrom('audit_log')
    .select(['seq', 'at', 'performer', 'action', 'performee', 'details'])
    .where('tenant_id', '=', tenantId)
    .$if(before !== undefined, (query) => query.where('seq', '<', before as number))
    .$if(Boolean(user), (query) =>
      query.where((eb) => eb.or([eb('performer', '=', user as string), eb('performee', '=', user as string)])),
    )
    .$if(Boolean(action), (query) => query.where('action', '=', action as string))
    .$if(from !== undefined, (query) => query.where('at', '>=', from as Date))
    .$if(until !== undefined, (query) => query.where('at', '<', until as Date))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
}

const MAX_CHOICES = 1_000

/** Each value once, by leaps through the index: as long as there are values, not entries. */
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

export const listChoices = async (db: Db, tenantId: string) => ({
  performers: await listDistinct(db, tenantId, 'performer'),
  actions: await listDistinct(db, tenantId, 'action'),
})
