import pg from 'pg'
import { listMigrationNames, migrate } from '../platform/database/migrate.ts'
import { createTestDatabase } from './database.ts'

/** A database as it was before a migration, to see what the migration does with existing rows. */
export const createDatabaseBefore = async (migration: string) => {
  const target = await createTestDatabase({ template: 'template0' })
  const earlier = (await listMigrationNames()).filter((name) => name < migration)
  await migrate(target.owner, 'dishboard_app', earlier)
  const client = new pg.Client(target.superuser)
  await client.connect()
  return {
    ...target,
    client,
    migrate: () => migrate(target.owner, 'dishboard_app', [...earlier, migration]),
    close: async () => {
      await client.end()
      await target.close()
    },
  }
}

export type DatabaseBefore = Awaited<ReturnType<typeof createDatabaseBefore>>
