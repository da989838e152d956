import { openDatabase } from '#server/platform/database/database.ts'
import { readConfig } from '#server/process/config.ts'
import { type Installation, openInstallation } from '#server/process/installation.ts'
import { CommandError, UsageError } from './command.ts'

/** The performer of these actions in the audit log. */
export const performer = 'command line'

/** Opens the installation that the environment names and closes it afterward. A server may run at the same time. */
export const withInstallation = async <T>(
  environment: NodeJS.ProcessEnv,
  work: (installation: Installation) => Promise<T>,
  { skipMigrations = false, isPartDistributedAllowed = false } = {},
): Promise<T> => {
  const installation = await openInstallation(readConfig(environment), {
    shared: true,
    skipMigrations,
    isPartDistributedAllowed,
    onWaiting: (message) => console.error(`dishboard: ${message}`),
  })
  try {
    return await work(installation)
  } finally {
    await installation.close()
  }
}

export const requireOwner = ({ owner }: Installation) => {
  if (owner) return owner
  throw new CommandError('this requires the owner of the tables. Set DATABASE_OWNER_URL too; see docs/operating.md.')
}

/** The runtime role may only read the list of tenants, so the owner changes it. */
export const openAsOwner = (installation: Installation) =>
  openDatabase({ ...requireOwner(installation), max: 1 }, () => {})

export const requireTenant = async ({ database }: Installation, tenantId: string) => {
  const tenant = await database.outsideTenants
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', tenantId)
    .executeTakeFirst()
  if (!tenant) throw new UsageError(`--tenant: there is no tenant '${tenantId}'`)
}
