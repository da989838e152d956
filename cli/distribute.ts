import { distribute } from '#server/telemetry/distribute.ts'
import { defineCommand } from './command.ts'
import { requireOwner, withInstallation } from './with-installation.ts'

export const distributeCommand = defineCommand({
  name: 'distribute',
  summary: 'Spread samples and charts over the nodes of a database with the Citus extension',
  options: {},
  run: (_, { environment, print }) =>
    withInstallation(
      environment,
      async (installation) => {
        const nodes = await distribute({
          owner: requireOwner(installation),
          runtimeRole: installation.runtimeRole,
          onSpread: (table) => print(`Distributed ${table}.`),
        })
        print(`The database is distributed over ${nodes} node${nodes === 1 ? '' : 's'}.`)
        return 0
      },
      { isPartDistributedAllowed: true },
    ),
})
