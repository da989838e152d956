import pg from 'pg'
import { createKysely } from '#server/platform/database/database.ts'
import { listMigrationNames, migrate } from '#server/platform/database/migrate.ts'
import { readDistribution } from '#server/telemetry/distribution.ts'
import { exactly, type Figure } from '../figure.ts'
import type { CitusCluster } from './cluster.ts'

/** The first migration that adds a table to the distributed ones, and those that were distributed before. */
const ADDS_TABLE = '0350'
const TABLES_BEFORE = ['samples', 'tier_2min', 'tier_15min', 'tier_1h', 'tier_2h']

/** Upgrades a database that an earlier version has distributed. Its roles exist on all nodes. */
export const upgradeDistributed = async (createDatabase: CitusCluster['createDatabase']): Promise<Figure[]> => {
  const test = await createDatabase({ isMigrated: false })
  const role = test.runtime.user as string
  const names = await listMigrationNames()
  await migrate(
    test.owner,
    role,
    names.filter((name) => name < ADDS_TABLE),
  )
  const owner = new pg.Client(test.owner)
  await owner.connect()
  try {
    for (const table of TABLES_BEFORE) {
      await owner.query(`alter table ${table} no force row level security`)
      await owner.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
        table,
        'terminal_id',
        table === 'samples' ? 'none' : 'samples',
      ])
      await owner.query(`alter table ${table} force row level security`)
    }
    await migrate(test.owner, role)
    const { problems } = await readDistribution(createKysely(owner))
    return [exactly('what is not distributed after an upgrade', problems.join('; ') || 'nothing', 'nothing')]
  } finally {
    await owner.end()
    await test.close()
  }
}
