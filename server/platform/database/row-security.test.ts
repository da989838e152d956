import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { seedEveryTable } from '../../testing/every-table.ts'

/** Readable before the tenant is known. By design they hold no customer data. */
const DIRECTORY = ['tenant_hosts']

/** Workers, which set no tenant, read all of these. They name tenants and queues, and hold no customer data. */
const JOBS = ['jobs', 'job_requests']

let db: TestDatabase
let superuser: pg.Pool
let runtime: pg.Pool
let tables: string[]
let partitions: Set<string>

const listTenantTables = async () => {
  const { rows } = await superuser.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind in ('r', 'p') order by 1`)
  return rows.map((row) => row.name).filter((name) => !DIRECTORY.includes(name))
}

/** Partitions are created and dropped; the runtime role reads them only through their parent table. */
const listPartitions = async () => {
  const { rows } = await superuser.query<{ name: string }>('select relname as name from pg_class where relispartition')
  return new Set(rows.map((row) => row.name))
}

/** The outcome of a statement run as the runtime role in tenant A: the row count, or the error code. */
const asTenantA = async (statement: string, values: unknown[] = []): Promise<number | string> => {
  const client = await runtime.connect()
  try {
    await client.query(`begin; set local app.tenant_id = 'a'; set local app."group" = ''`)
    return (await client.query(statement, values)).rowCount ?? 0
  } catch (error) {
    return (error as pg.DatabaseError).code ?? 'unknown'
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const REFUSED = '42501'

beforeAll(async () => {
  db = await createTestDatabase()
  superuser = new pg.Pool(db.superuser)
  runtime = new pg.Pool(db.runtime)
  await superuser.query("insert into tenants (id) values ('a'), ('b')")
  await superuser.query("insert into tenant_hosts (host, tenant_id) values ('a.example', 'a'), ('b.example', 'b')")
  for (const tenant of ['a', 'b']) await seedEveryTable(superuser, tenant)
  tables = await listTenantTables()
  partitions = await listPartitions()
})
afterAll(async () => {
  await superuser.end()
  await runtime.end()
  await db.close()
})

describe('the catalogue', () => {
  test('every table with a tenant has row security on, forced, with one policy for all and one for the owner', async () => {
    const { rows } = await superuser.query(
      `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
         (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polroles = '{0}') as policies,
         array(select p.polroles::regrole[]::text || ' ' || p.polcmd::text || ' ' || pg_get_expr(p.polqual, p.polrelid)
           from pg_policy p where p.polrelid = c.oid and p.polroles <> '{0}') as other_policies,
         (select bool_and(p.polcmd = '*' and p.polpermissive
             and pg_get_expr(p.polqual, p.polrelid)
               like case when c.relname = any($2)
                 then '(tenant_id = COALESCE(NULLIF(current_setting(''app.tenant_id''::text, true), ''''::text), tenant_id))'
                 else '%(tenant_id = NULLIF(current_setting(''app.tenant_id''::text, true), ''''::text))%' end)
           from pg_policy p where p.polrelid = c.oid and p.polroles = '{0}') as by_tenant
       from pg_class c where c.relname = any($1) and c.relnamespace = 'public'::regnamespace`,
      [tables, JOBS],
    )
    expect(rows).toHaveLength(tables.length)
    const ownerPolicy = "{dishboard_owner} r (current_setting('app.all_tenants'::text, true) = 'on'::text)"
    for (const row of rows)
      expect(row).toMatchObject({
        enabled: true,
        forced: true,
        policies: 1,
        by_tenant: true,
        other_policies: JOBS.includes(row.name) ? [] : [ownerPolicy],
      })
  })

  test('every foreign key from one tenant table to another carries the tenant on both sides', async () => {
    const { rows } = await superuser.query<{ name: string; pairs: string[] }>(
      `select con.conname as name, array_agg(a.attname || '=' || b.attname) as pairs
       from pg_constraint con
       cross join lateral unnest(con.conkey, con.confkey) as k (from_no, to_no)
       join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.from_no
       join pg_attribute b on b.attrelid = con.confrelid and b.attnum = k.to_no
       where con.contype = 'f' and con.conrelid::regclass::text = any($1) and con.confrelid::regclass::text = any($1)
       group by con.oid, con.conname`,
      [tables],
    )
    expect(rows.length).toBeGreaterThan(5)
    for (const { name, pairs } of rows) expect(pairs, name).toContain('tenant_id=tenant_id')
  })

  test('the runtime owns nothing, cannot bypass, cannot create, and only reads the directory', async () => {
    const { rows } = await superuser.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
         (select count(*)::int from pg_class where relowner = r.oid) as owned,
         pg_has_role(r.oid, 'dishboard_owner', 'member') as is_owner,
         has_schema_privilege(r.oid, 'public', 'create') as creates
       from pg_roles r where rolname in ('dishboard_app', 'dishboard_runtime')`,
    )
    expect(rows).toHaveLength(2)
    for (const row of rows)
      expect(row).toEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owned: 0,
        is_owner: false,
        creates: false,
      })
    for (const table of ['tenants', 'tenant_hosts']) {
      expect(await asTenantA(`delete from ${table}`)).toBe(REFUSED)
      expect(await asTenantA(`update ${table} set ${table === 'tenants' ? 'id' : 'host'} = 'x'`)).toBe(REFUSED)
    }
  })

  test('no view or materialized view shows tenant rows, and functions that run as the owner are the known seven', async () => {
    const views = await superuser.query(
      "select relname from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace",
    )
    expect(views.rows).toEqual([])
    const definers = await superuser.query<{ proname: string }>(
      "select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1",
    )
    expect(definers.rows.map((row) => row.proname)).toEqual([
      'compact_tier_partition',
      'drop_sample_partitions',
      'drop_tier_partitions',
      'ensure_sample_partition',
      'ensure_tier_partition',
      'pack_tier_partition',
      'refresh_statistics',
    ])
  })
})

describe('tenant A', () => {
  test('has rows of both tenants in every table', async () => {
    for (const table of tables) {
      const { rows } = await superuser.query(`select distinct tenant_id from ${table} order by 1`)
      expect(rows, `${table}: add it to every-table.ts`).toEqual([{ tenant_id: 'a' }, { tenant_id: 'b' }])
    }
  })

  test('reads its own rows and none of B', async () => {
    for (const table of tables) {
      if (partitions.has(table)) {
        expect(await asTenantA(`select 1 from ${table}`), table).toBe(REFUSED)
        continue
      }
      expect(await asTenantA(`select 1 from ${table}`), table).toBeGreaterThan(0)
      expect(await asTenantA(`select 1 from ${table} where tenant_id <> 'a'`), table).toBe(0)
    }
  })

  test('changes and deletes none of B', async () => {
    for (const table of tables) {
      const changed = await asTenantA(`update ${table} set tenant_id = tenant_id where tenant_id = 'b'`)
      expect([0, REFUSED], table).toContain(changed)
      expect([0, REFUSED], table).toContain(await asTenantA(`delete from ${table} where tenant_id = 'b'`))
    }
  })

  test('writes no row into B, neither a new one nor one of its own moved over', async () => {
    for (const table of tables) {
      const { rows } = await superuser.query(
        `select to_jsonb(t) as row, (
           select string_agg(quote_ident(attname), ', ') from pg_attribute
           where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns
         from ${table} t where tenant_id = 'b' limit 1`,
      )
      const { row, columns } = rows[0]
      const insert = `insert into ${table} (${columns}) overriding system value
        select ${columns} from jsonb_populate_record(null::${table}, $1)`
      expect(await asTenantA(insert, [JSON.stringify(row)]), table).toBe(REFUSED)
      expect(await asTenantA(`update ${table} set tenant_id = 'b'`), table).toBe(REFUSED)
    }
  })

  test('sees nothing on a connection without a tenant, also when it asks for all tenants as a backup does', async () => {
    const client = await runtime.connect()
    for (const setting of ['off', 'on']) {
      await client.query(`set app.all_tenants = ${setting}`)
      for (const table of tables.filter((name) => !partitions.has(name) && !JOBS.includes(name)))
        expect((await client.query(`select 1 from ${table}`)).rowCount, table).toBe(0)
    }
    client.release(true)
  })
})

test('a user of one group sees the lines of that group only', async () => {
  const count = (group: string) =>
    db.database.transaction({ tenantId: 'a', group }, async (rows) =>
      (await rows.selectFrom('service_lines').select('group_name').execute()).map((line) => line.group_name),
    )
  expect(await count('north')).toEqual(['north'])
  expect(await count('south')).toEqual([])
})
