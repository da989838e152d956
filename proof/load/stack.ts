import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startSimulatorProcess } from '#demo/simulator-process.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { prepareCluster } from '#server/platform/database/roles.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import { readConfig } from '#server/process/config.ts'
import { openInstallation } from '#server/process/installation.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { onCleanup } from '../cleanup.ts'
import { createChild } from '../multi-process/child.ts'

export const TENANT = 'reseller'
const SEED = 1959
const SECRET_KEY = 'a key of the proofs that is long enough'
const ACCOUNT = { clientId: 'proof', clientSecret: 'secret of the proof' }
const KNOWN_WITHIN_MS = 90_000
/** Inventory, usage and telemetry. */
const FEEDS = 3

/** By Unix socket, so that no port has to be chosen. */
const formatAddress = ({ host, user, database }: { host: string; user: string; database: string }) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

const openFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-load-'))
  // As root, the database runs as another user, who must be able to traverse this folder.
  chmodSync(folder, 0o711)
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The product in one process, as it runs by default, with an inspector for measuring its memory. */
const startProduct = async (folder: string, databaseUrl: string) => {
  const inspectorPort = await findFreePort()
  const product = await createChild({
    name: 'product',
    part: undefined,
    environment: {
      DATABASE_URL: databaseUrl,
      SECRET_KEY,
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      // Each user has a separate address, as behind a reverse proxy in production.
      TRUST_PROXY: '127.0.0.1',
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
    },
    folder,
  })
  onCleanup(product.stop)
  product.start()
  await product.untilReady()
  return { url: product.url, inspectorPort, exits: product.exits }
}

/** One reseller with a live fleet, on a separate PostgreSQL and vendor; stops with the proof. */
export const openStack = async (terminals: number) => {
  const folder = openFolder()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  onCleanup(postgres.stop)
  const { runtime, owner } = await prepareCluster(postgres.socketDir, postgres.superuser)
  const databaseUrl = formatAddress(runtime)
  const { database, secrets } = await openInstallation(
    readConfig({ DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: formatAddress(owner), SECRET_KEY, DATA_DIR: folder }),
  )
  onCleanup(database.close)
  const simulator = await startSimulatorProcess([{ ...ACCOUNT, terminals }], SEED)
  onCleanup(simulator.stop)
  const ownerDatabase = openDatabase(owner, () => {})
  await ownerDatabase.transaction({ tenantId: TENANT }, (db) =>
    createTenant(db, { performer: 'proof', now: new Date() }, { id: TENANT, hosts: [], config: { company_name: 'R' } }),
  )
  await ownerDatabase.close()
  const { baseUrl, tokenUrl } = simulator
  await database.transaction({ tenantId: TENANT }, (db) =>
    connectVendor(db, secrets, { tenantId: TENANT, baseUrl, tokenUrl, ...ACCOUNT }),
  )
  const product = await startProduct(folder, databaseUrl)
  // The first sync of an account is not part of a normal load.
  const isKnown = () =>
    database.transaction({ tenantId: TENANT }, async (_, client) => {
      const { rows } = await client.query(
        `select (select count(*)::int from latest) as received, (
           select count(*)::int from vendor_feeds where last_success_at is not null) as feeds`,
      )
      return rows[0].received >= terminals / 2 && rows[0].feeds === FEEDS
    })
  const deadline = Date.now() + KNOWN_WITHIN_MS
  while (!(await isKnown())) {
    if (Date.now() > deadline) throw new Error('The fleet was not known in time.')
    await pause(200)
  }
  const postgresConnection = { host: postgres.socketDir, user: postgres.superuser, database: runtime.database }
  return { ...product, database, postgresConnection }
}

export type Stack = Awaited<ReturnType<typeof openStack>>
