import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startSimulatorProcess } from '#demo/simulator-process.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { prepareCluster } from '#server/platform/database/roles.ts'
import { listPostgresProcesses } from '#server/platform/postgres/processes.ts'
import type { Settings } from '#server/platform/postgres/settings.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import { readConfig } from '#server/process/config.ts'
import { openInstallation } from '#server/process/installation.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { onCleanup } from '../cleanup.ts'
import { createChild, type Part } from './child.ts'
import { addTenants, tenantIds } from './tenants.ts'
import { startVendorGate } from './vendor-gate.ts'

const SECRET_KEY = 'a key of the proofs that is long enough'
const SEED = 1959

const accountsFor = (terminals: number) =>
  tenantIds.map((id) => ({ clientId: `proof-${id}`, clientSecret: `secret-of-${id}`, terminals }))

/** By Unix socket, so that no port has to be chosen. */
const formatAddress = ({ host, user, database }: { host: string; user: string; database: string }) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

const waitForFleet = async (database: Database) => {
  for (const tenantId of tenantIds) {
    const isListed = () =>
      database.transaction({ tenantId }, (db) => db.selectFrom('terminals').select('id').limit(1).executeTakeFirst())
    while (!(await isListed())) await pause(100)
  }
}

/**
 * A PostgreSQL, a vendor and a mail server as in production, each outside of our processes; two tenants with a fleet
 * each; and a way to start `serve` and `work` processes on them. All of it ends with the proof.
 */
export const openMultiProcessStack = async ({
  terminals,
  environment: more = {},
  databaseDisk,
  databaseSettings = {},
}: {
  terminals: number
  environment?: Record<string, string>
  /** Where the database is stored; by default beside everything else. */
  databaseDisk?: string
  databaseSettings?: Settings
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-proof-'))
  // As root, the database runs as another user, who must be able to traverse this folder.
  chmodSync(folder, 0o711)
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const postgresDir = join(databaseDisk ?? folder, 'postgres')
  const openPostgres = () =>
    startPostgres({ dataDir: postgresDir, settings: { shared_buffers: '128MB', ...databaseSettings } })
  let postgres = await openPostgres()
  let isDatabaseUp = true
  const stopDatabase = async () => {
    if (isDatabaseUp) await postgres.stop()
    isDatabaseUp = false
  }
  onCleanup(stopDatabase)
  const { runtime, owner } = await prepareCluster(postgres.socketDir, postgres.superuser)
  const databaseUrl = formatAddress(runtime)
  const installation = await openInstallation(
    readConfig({ DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: formatAddress(owner), SECRET_KEY, DATA_DIR: folder }),
  )
  onCleanup(installation.database.close)
  const mail = await startMailServer()
  onCleanup(mail.close)
  const simulator = await startSimulatorProcess(accountsFor(terminals), SEED)
  onCleanup(simulator.stop)
  const gate = await startVendorGate(simulator.origin)
  onCleanup(gate.close)
  const ownerDatabase = openDatabase(owner, () => {})
  await addTenants({
    owner: ownerDatabase,
    database: installation.database,
    secrets: installation.secrets,
    vendor: { baseUrl: gate.through(simulator.baseUrl), tokenUrl: gate.through(simulator.tokenUrl) },
    accounts: accountsFor(terminals),
  })
  await ownerDatabase.close()

  const environment = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    DATA_DIR: folder,
    SMTP_URL: mail.url,
    MAIL_FROM: 'portal@sender.example',
    LOG_LEVEL: 'warn',
    // Clients set their address, because rate limits count by address.
    TRUST_PROXY: '127.0.0.1',
    ...more,
  }
  return {
    folder,
    database: installation.database,
    runtime,
    owner,
    superuser: { ...owner, user: postgres.superuser },
    gate,
    mail,
    child: async (part: Part, name: string, own: Record<string, string> = {}) => {
      const child = await createChild({ name, part, environment: { ...environment, ...own }, folder })
      // All checks are done by then.
      onCleanup(child.kill)
      child.start()
      return child
    },
    stopDatabase,
    startDatabase: async () => {
      postgres = await openPostgres()
      isDatabaseUp = true
    },
    waitForFleet: () => waitForFleet(installation.database),
    postmasterPid: () => Number(readFileSync(join(postgresDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]),
    postgresPids: () => listPostgresProcesses(join(postgresDir, 'cluster'), -1),
    readLog: (name: string) => readFileSync(join(folder, `${name}.log`), 'utf8'),
  }
}

export type MultiProcessStack = Awaited<ReturnType<typeof openMultiProcessStack>>
