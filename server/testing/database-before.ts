import pg from 'pg'
import { listMigrationNames, migrate } from '../platform/database/migrate.ts'
import { createTestDatabase } from './database.ts'

/** A database as before a migration, to test what the migration does to existing rows. */
export const createDatabaseBefore = async (migration: string) => {
  const target = await createTestDatabase({ template: 'template0' })
  const earlier = (await listMigrationNames()).filter((name) => name < migration)
  await migrate(target.owner, 'dishboard_app', earlier)
  const client = new pg.Client(target.superuser)
  await client.connect()
  return {
    ...target,
    client,
    /** Adds a tenant with one user and returns the user's id. */
    addTenant: async (tenant: string) => {
      await client.query('insert into tenants (id) values ($1)', [tenant])
      const { rows } = await client.query<{ id: number }>(
        `insert into users (tenant_id, email, group_name, customer_name, company, role, password_hash)
         values ($1, 'ada@mail.example', 'north', 'Ada', 'Company', 'user', 'x') returning id`,
        [tenant],
      )
      return rows[0]?.id as number
    },
    migrate: () => migrate(target.owner, 'dishboard_app', [...earlier, migration]),
    /** Runs this migration and all later ones. */
    migrateAll: async () => migrate(target.owner, 'dishboard_app', await listMigrationNames()),
    close: async () => {
      await client.end()
      await target.close()
    },
  }
}

export type DatabaseBefore = Awaited<ReturnType<typeof createDatabaseBefore>>
