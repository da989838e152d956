import pg from 'pg'
import { createKysely } from '../platform/database/database.ts'
import { StartupError } from '../platform/startup-error.ts'
import { DISTRIBUTION_COLUMN, readDistribution, spreadTables } from './distribution.ts'

const id = (name: string) => pg.escapeIdentifier(name)
const text = (value: string) => pg.escapeLiteral(value)

/** A node has the coordinator's roles and memberships only if it had joined before they were created. */
const prepareNode = (owner: string, runtimeRole: string) => `do $node$ begin
  -- Every node runs this itself.
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  if not has_schema_privilege('public', 'create') then
    raise exception 'the role % may not create tables there: alter database % owner to %', ${text(owner)}, current_database(), ${text(owner)};
  end if;
  if not exists (select from pg_roles where rolname = 'dishboard_runtime') then
    create role dishboard_runtime nologin;
  end if;
  if not exists (select from pg_roles where rolname = ${text(runtimeRole)}) then
    raise exception 'the role % does not exist there: create role % login', ${text(runtimeRole)}, ${text(runtimeRole)};
  end if;
  if not pg_has_role(${text(runtimeRole)}, 'dishboard_runtime', 'member') then
    grant dishboard_runtime to ${id(runtimeRole)};
  end if;
end $node$`

const prepareNodes = async (client: pg.Client, owner: string, runtimeRole: string) => {
  const { rows } = await client.query<{ name: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as name, success, result
     from run_command_on_all_nodes($1) join pg_dist_node using (nodeid) order by nodeid`,
    [prepareNode(owner, runtimeRole)],
  )
  const failed = rows.filter(({ success }) => !success).map(({ name, result }) => `${name}: ${result}`)
  if (failed.length > 0)
    throw new StartupError(
      `Some nodes are not ready. As their administrator, fix this and run it again. ${failed.join(' ')}`,
    )
}

/** Without it, shards would not receive the tenant of a transaction and would return nothing. */
const propagateTenant = async (client: pg.Client, role: string) => {
  const statement = `alter role ${id(role)} set citus.propagate_set_commands = 'local'`
  try {
    await client.query(statement)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new StartupError(`The owner may not change the role ${role}. As an administrator, run: ${statement}`)
  }
}

/** All or nothing, so that an interrupted run can be repeated. */
const spreadTable = async (client: pg.Client, table: string) => {
  await client.query('begin')
  try {
    // Concurrent writers wait, and then write to the shards.
    await client.query(`lock table ${id(table)} in access exclusive mode`)
    const { rows } = await client.query<{ name: string }>(
      `select $1::text as name union all select inhrelid::regclass::text from pg_inherits where inhparent = $1::regclass`,
      [table],
    )
    // Citus copies rows as the owner, which row-level security would block.
    for (const { name } of rows) await client.query(`alter table ${id(name)} no force row level security`)
    const colocation = table === spreadTables[0] ? 'none' : (spreadTables[0] as string)
    await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      table,
      DISTRIBUTION_COLUMN,
      colocation,
    ])
    for (const { name } of rows) await client.query(`alter table ${id(name)} force row level security`)
    // Otherwise the copied rows would stay on the coordinator's disk, invisible.
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

interface Options {
  owner: pg.ClientConfig
  runtimeRole: string
  onSpread?: (table: string) => void
}

/** Distributes samples and tiers over the nodes of Citus. Returns the number of nodes. */
export const distribute = async ({ owner, runtimeRole, onSpread = () => {} }: Options): Promise<number> => {
  const client = new pg.Client(owner)
  client.on('error', () => {})
  await client.connect()
  try {
    // The same lock as for migrations, so that no table changes meanwhile.
    await client.query("select pg_advisory_lock(hashtextextended('dishboard:migrate', 0))")
    const { rows } = await client.query<{ has_citus: boolean; name: string }>(
      "select exists (select from pg_extension where extname = 'citus') as has_citus, current_user as name",
    )
    const { has_citus: hasCitus, name: ownerRole } = rows[0] as (typeof rows)[0]
    if (!hasCitus)
      throw new StartupError(
        'The database does not have the extension citus. As an administrator, create it on every node; see docs/operating.md.',
      )
    const db = createKysely(client)
    if ((await readDistribution(db)).nodes === 0)
      throw new StartupError(
        'No node of the cluster may have shards. As an administrator, add workers: select citus_add_node(…); see docs/operating.md.',
      )
    await prepareNodes(client, ownerRole, runtimeRole)
    for (const role of [ownerRole, runtimeRole]) await propagateTenant(client, role)
    // A role's setting applies only to its next connections.
    await client.query("set citus.propagate_set_commands = 'local'")
    for (const table of spreadTables) {
      const { rows: known } = await client.query<{ yes: boolean }>('select is_distributed($1::regclass) as yes', [
        table,
      ])
      if (known[0]?.yes) continue
      await spreadTable(client, table)
      onSpread(table)
    }
    const { nodes, problems } = await readDistribution(db)
    if (problems.length > 0) throw new StartupError(`The database is distributed in part: ${problems.join('; ')}.`)
    return nodes
  } finally {
    await client.end()
  }
}
