import { sql } from 'kysely'
import { defineCommand } from './command.ts'
import { withInstallation } from './with-installation.ts'

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Bring the database to the schema of this version',
  options: {},
  run: (_, { environment, print }) => {
    const startedAt = new Date().toISOString()
    return withInstallation(environment, async ({ database }) => {
      const { rows } = await sql<{ name: string }>`
        select name from schema_migrations where timestamp >= ${startedAt} order by name`.execute(
        database.outsideTenants,
      )
      for (const { name } of rows) print(`Applied ${name}.`)
      print('The database is up to date.')
      return 0
    })
  },
})
