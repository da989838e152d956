import { join } from 'node:path'
import pg from 'pg'
import { adoptChains } from '../audit/anchor-chain.ts'
import { loadAuditKeys } from '../audit/keys.ts'
import type { Config } from '../platform/config.ts'
import { type Database, EXTRA_CONNECTIONS, openDatabase } from '../platform/database/database.ts'
import { compareSchema, migrate, refuseNewerSchema } from '../platform/database/migrate.ts'
import { refuseTransactionPooling } from '../platform/database/pooler.ts'
import { embeddedRuntimeRole, prepareCluster, refuseOldServer, refuseUnsafeRole } from '../platform/database/roles.ts'
import { waitUntilRecovered } from '../platform/database/wait-until-recovered.ts'
import { findRunningPostgres } from '../platform/postgres/running.ts'
import type { Settings } from '../platform/postgres/settings.ts'
import { type EmbeddedPostgres, startPostgres } from '../platform/postgres/start-postgres.ts'
import { deriveSecrets, type Secrets } from '../platform/secrets.ts'
import { StartupError } from '../platform/startup-error.ts'
import { refusePartDistributed } from '../telemetry/distribution.ts'
import { explainDatabaseFault } from './explain-database-fault.ts'
import { readKeyFile } from './key-file.ts'

/** The connections to the database: as the owner for migrations, otherwise as the runtime role. */
export interface Connections {
  runtime: pg.PoolConfig
  owner: pg.PoolConfig | undefined
  embedded: EmbeddedPostgres | undefined
}

export interface Installation extends Connections {
  database: Database
  runtimeRole: string
  secrets: Secrets
  /** The migrations applied when it was opened. */
  applied: string[]
  close: () => Promise<void>
}

const parseUserName = (connectionString: string) => decodeURIComponent(new URL(connectionString).username)

const connectToGiven = (config: Config, databaseUrl: string): Connections => ({
  runtime: { connectionString: databaseUrl },
  owner: config.databaseOwnerUrl === undefined ? undefined : { connectionString: config.databaseOwnerUrl },
  embedded: undefined,
})

const getRuntimeRole = ({ databaseUrl }: Config) =>
  databaseUrl === undefined ? embeddedRuntimeRole : parseUserName(databaseUrl)

const refuseOtherSchema = async ({ runtime, owner }: Connections) => {
  const database = openDatabase(runtime, () => {})
  try {
    const difference = await compareSchema(database.outsideTenants)
    refuseNewerSchema(difference)
    const { length } = difference.missing
    if (length === 0) return
    throw new StartupError(
      owner
        ? 'DATABASE_URL and DATABASE_OWNER_URL lead to different databases. Correct the one that is wrong.'
        : `The database lacks ${length} migration${length === 1 ? '' : 's'}. Set DATABASE_OWNER_URL and run: npm run dishboard -- migrate`,
    )
  } finally {
    await database.close()
  }
}

/** Explains faults of the connection that a setting describes. */
const explainFor =
  ({ databaseUrl }: Config, setting: 'DATABASE_URL' | 'DATABASE_OWNER_URL') =>
  (error: unknown): never => {
    throw explainDatabaseFault(
      error,
      databaseUrl === undefined ? 'The embedded database' : `The database of ${setting}`,
    )
  }

const migrateOrCheck = async (config: Config, connections: Connections) => {
  const { owner } = connections
  const migrated = owner && migrate(owner, getRuntimeRole(config)).catch(explainFor(config, 'DATABASE_OWNER_URL'))
  const applied = (await migrated) ?? []
  await refuseOtherSchema(connections)
  return applied
}

const checkDistribution = async ({ runtime }: Connections) => {
  const database = openDatabase({ ...runtime, max: 1 }, () => {})
  try {
    await refusePartDistributed(database.outsideTenants)
  } finally {
    await database.close()
  }
}

/** Entries older than this migration are covered by an anchor written at the start that applies it. */
const SEALS_MIGRATION = '0101_audit_seals'

interface OpenOptions {
  onProgress?: (message: string) => void
  /** Receives errors of broken connections, and of an embedded database that does not restart. */
  onError?: (error: Error) => void
  /** Receives the reason while startup waits for a database that recovers from a crash. */
  onWaiting?: (message: string) => void
  /** Ends that wait. Later it signals that the installation will be closed soon. */
  stopping?: AbortSignal
  /** For a command that runs alongside a running server: it is not refused by the server's lock. */
  shared?: boolean
  /** Leaves the schema as it is. */
  skipMigrations?: boolean
  /** Opens a database on which `distribute` was interrupted. */
  isPartDistributedAllowed?: boolean
  /** Overrides of the default settings of the embedded database. */
  postgresSettings?: Settings
}

const connect = async (
  config: Config,
  {
    onProgress,
    onError,
    shared,
    postgresSettings,
  }: Required<Pick<OpenOptions, 'onProgress' | 'onError' | 'shared' | 'postgresSettings'>>,
): Promise<Connections> => {
  if (config.databaseUrl !== undefined) return connectToGiven(config, config.databaseUrl)
  const dataDir = join(config.dataDir, 'postgres')
  const running = shared ? findRunningPostgres(dataDir) : undefined
  if (running) return { ...(await prepareCluster(running.socketDir, running.superuser)), embedded: undefined }
  const embedded = await startPostgres({ dataDir, onProgress, settings: postgresSettings })
  embedded.onExit((event) => {
    if (event.kind === 'not started') onError(event.problem)
  })
  try {
    return { ...(await prepareCluster(embedded.socketDir, embedded.superuser)), embedded }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

/** Runs the embedded database's checkpoint while other parts stop, so that its own shutdown has less to write. */
const runCheckpoint = async ({ embedded }: Connections) => {
  if (!embedded) return
  const client = new pg.Client({ host: embedded.socketDir, user: embedded.superuser, database: 'postgres' })
  // The database may stop first.
  client.on('error', () => {})
  await client
    .connect()
    .then(() => client.query('checkpoint'))
    .then(() => client.end())
    .catch(() => {})
}

/** Opens the database of this configuration and migrates it to this version's schema. */
export const openInstallation = async (
  config: Config,
  {
    onProgress = () => {},
    onError = () => {},
    onWaiting = onProgress,
    stopping,
    shared = false,
    skipMigrations = false,
    isPartDistributedAllowed = false,
    postgresSettings = {},
  }: OpenOptions = {},
): Promise<Installation> => {
  const secretKey = config.secretKey ?? readKeyFile(config.dataDir)
  const secrets = deriveSecrets(secretKey, config.previousSecretKeys)
  loadAuditKeys([secretKey, ...config.previousSecretKeys])
  const connections = await connect(config, { onProgress, onError, shared, postgresSettings })
  let applied: string[] = []
  try {
    onProgress('preparing the database')
    if (config.databaseUrl !== undefined) {
      await waitUntilRecovered(connections.runtime, { onWaiting, stopping })
      await refuseOldServer(connections.runtime)
      await refuseTransactionPooling(connections.runtime, 'DATABASE_URL')
      if (connections.owner)
        await refuseTransactionPooling(connections.owner, 'DATABASE_OWNER_URL').catch(
          explainFor(config, 'DATABASE_OWNER_URL'),
        )
      await refuseUnsafeRole(connections.runtime)
    }
    if (!skipMigrations) applied = await migrateOrCheck(config, connections)
    if (config.databaseUrl !== undefined && !isPartDistributedAllowed) await checkDistribution(connections)
  } catch (error) {
    await connections.embedded?.stop()
    return explainFor(config, 'DATABASE_URL')(error)
  }
  // A pool reports itself closed before its connections are, and the stopping database then terminates them.
  let isClosing = false
  const reportError = (error: Error) => {
    if (!isClosing) onError(error)
  }
  const pool = { ...connections.runtime, max: config.databaseConnections - EXTRA_CONNECTIONS }
  const database = openDatabase(pool, reportError, connections.embedded?.isDiskFull)
  if (applied.includes(SEALS_MIGRATION))
    for (const problem of await adoptChains(database, { now: new Date(), dataDir: config.dataDir }))
      onError(new Error(problem))
  stopping?.addEventListener('abort', () => void runCheckpoint(connections), { once: true })
  return {
    ...connections,
    database,
    runtimeRole: getRuntimeRole(config),
    secrets,
    applied,
    close: async () => {
      isClosing = true
      await database.close()
      await connections.embedded?.stop()
    },
  }
}
