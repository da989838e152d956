import { openDatabase } from '#server/platform/database/database.ts'
import { readConfig } from '#server/process/config.ts'
import { type Installation, openInstallation } from '#server/process/installation.ts'
import { CommandProblem, UsageProblem } from './command.ts'

/** Who the audit log says did it. */
export const performer = 'command line'

/** Opens what the environment names, beside a running server too, and closes it whatever happens. */
export const withInstallation = async <T>(
  environment: NodeJS.ProcessEnv,
  work: (installation: Installation) => Promise<T>,
  { skipMigrations = false } = {},
): Promise<T> => {
  const installation = await openInstallation(readConfig(environment), { shared: true, skipMigrations })
  try {
    return await work(installation)
  } finally {
    await installation.close()
  }
}

export const requireOwner = ({ owner }: Installation) => {
  if (owner) return owner
  throw new CommandProblem(
    'only the owner of the tables may do this. Set DATABASE_OWNER_URL too; see docs/operating.md.',
  )
}

/** The directory of tenants is read-only to the runtime, so what changes it is done by the owner. */
export const openAsOwner = (installation: Installation) =>
  openDatabase({ ...requireOwner(installation), max: 1 }, () => {})

export const requireTenant = async ({ database }: Installation, tenantId: string) => {
  const tenant = await database.outsideTenants
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', tenantId)
    .executeTakeFirst()
  if (!tenant) throw new UsageProblem(`--tenant: there is no tenant '${tenantId}'`)
}
