import { defineCommand } from './command.ts'
import { withInstallation } from './with-installation.ts'

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Apply pending migrations to the database',
  options: {},
  run: (_, { environment, print }) =>
    withInstallation(environment, async ({ applied }) => {
      for (const name of applied) print(`Applied ${name}.`)
      print('The database is up to date.')
      return 0
    }),
})
