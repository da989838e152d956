import { hashPassword, toBulkRequester } from '#server/identity/passwords.ts'
import type { Database } from '#server/platform/database/database.ts'
import { measures, tierColumns } from '#server/telemetry/measures.ts'
import { ensureTierPartitions } from '#server/telemetry/partitions.ts'
import { tiers } from '#server/telemetry/tiers.ts'
import { TENANT } from './stack.ts'

export const PASSWORD = 'Proof-pass-1'
const GROUPS = 20
const ADMINISTRATORS_PER_HUNDRED = 5
const DAY_MS = 86_400_000

export interface Customer {
  email: string
  isAdministrator: boolean
  /** Lines that this user views. */
  nicknames: string[]
}

const addUsers = async (database: Database, count: number) => {
  // One password for all: only the sign-in is measured.
  const hash = await hashPassword(PASSWORD, toBulkRequester(TENANT))
  await database.transaction({ tenantId: TENANT }, async (_, client) => {
    await client.query(
      `insert into users (tenant_id, email, password_hash, role, group_name, customer_name, company)
       select $1, 'person' || n || '@mail.example', $2,
         case when n % 100 < ${ADMINISTRATORS_PER_HUNDRED} then 'admin' else 'user' end,
         'group' || n % ${GROUPS}, 'Person ' || n, 'Company'
       from generate_series(1, $3::int) as n`,
      [TENANT, hash, count],
    )
    await client.query(
      `insert into feature_grants (tenant_id, user_id, item, value)
       select tenant_id, id, 'metadata', 'read_write' from users where tenant_id = $1 and role = 'user'`,
      [TENANT],
    )
    await client.query(`update service_lines set group_name = 'group' || id % ${GROUPS} where tenant_id = $1`, [TENANT])
  })
}

/** Sixty days of buckets for some terminals of each group, generated in SQL. */
const addHistory = async (database: Database, terminalsPerGroup: number) => {
  const days = Array.from({ length: 62 }, (_, ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10))
  for (const { name, retentionDays } of tiers) await ensureTierPartitions(database, name, days.slice(0, retentionDays))
  const values = measures.flatMap((_, place) => {
    const value = `(${place} + (extract(epoch from at)::bigint / 60 * 7919 + terminal.id) % 97 / 10.0)::real`
    return [value, `${value} + 3`, `${value} * 8`, `${value} + 1`]
  })
  await database.transaction({ tenantId: TENANT }, async (_, client) => {
    for (const { name, bucketMs, retentionDays } of tiers) {
      // As many as a chart of this tier shows, up to the start of the feed.
      const buckets = Math.min(720, Math.floor((Math.min(retentionDays, 60) * DAY_MS) / bucketMs))
      await client.query(
        `with watched as (
           select id from (
             select terminal.id, row_number() over (partition by line.group_name order by terminal.id) as place
             from terminals as terminal
             join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
             where terminal.tenant_id = $1
           ) as numbered where place <= $2)
         insert into ${name} (tenant_id, terminal_id, at, n, ${tierColumns.join(', ')})
         select $1, terminal.id, at, 8, ${values.join(', ')}
         from watched as terminal, generate_series(
           date_bin($3::interval, now() - $3::interval * ($4::int + 1), '2000-01-01'),
           now() - $3::interval * 2, $3::interval) as at
         on conflict do nothing`,
        [TENANT, terminalsPerGroup, `${bucketMs} milliseconds`, buckets],
      )
    }
  })
}

const listLines = (database: Database, terminalsPerGroup: number) =>
  database.transaction({ tenantId: TENANT }, async (_, client) => {
    const { rows } = await client.query<{ group_name: string; nicknames: string[] }>(
      `select group_name, (array_agg(line.nickname order by terminal.id))[:$2] as nicknames
       from terminals as terminal
       join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
       where terminal.tenant_id = $1 and line.active group by group_name`,
      [TENANT, terminalsPerGroup],
    )
    return new Map(rows.map(({ group_name, nicknames }) => [group_name, nicknames]))
  })

/** Users in the groups of one reseller, each with some terminals that have a history. */
export const settle = async (
  database: Database,
  { users, terminalsPerGroup }: { users: number; terminalsPerGroup: number },
): Promise<Customer[]> => {
  await addUsers(database, users)
  await addHistory(database, terminalsPerGroup)
  const lines = await listLines(database, terminalsPerGroup)
  return Array.from({ length: users }, (_, index) => ({
    email: `person${index + 1}@mail.example`,
    isAdministrator: (index + 1) % 100 < ADMINISTRATORS_PER_HUNDRED,
    nicknames: lines.get(`group${(index + 1) % GROUPS}`) ?? [],
  }))
}
