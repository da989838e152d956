import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createCommandQueue } from '#server/commands/track-commands.ts'
import { createFleet } from '#server/fleet/fleet.ts'
import { createUser } from '#server/identity/create-user.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { listenToDatabase } from '#server/platform/database/listen.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { embeddedRuntimeRole, prepareCluster } from '#server/platform/database/roles.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import { deriveSecrets, type Secrets } from '#server/platform/secrets.ts'
import type { Queues } from '#server/platform/worker/queues.ts'
import { startWorker } from '#server/platform/worker/worker.ts'
import { createApp } from '#server/process/app.ts'
import { readConfig } from '#server/process/config.ts'
import { openTestSpool } from '#server/telemetry/testing/open-test-spool.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { createVendorQueues } from '#server/vendor/queues.ts'
import { DEFAULT_CREDENTIAL, type Simulator, startSimulator } from '#simulator/server.ts'
import { onCleanup } from '../cleanup.ts'
import type { Failure } from './failures.ts'

export const PASSWORD = 'Proof-pass-1'
const SEED = 1959
const NO_DELAY_LIMIT = { maxEventLoopDelayMs: Number.POSITIVE_INFINITY }

/** A reseller with a separate vendor, so that all failures can run at the same time. */
export interface Reseller {
  tenantId: string
  failure: Failure
  simulator: Simulator
}

const openPostgres = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-upstream-'))
  // As root, the database runs as another user, who must be able to traverse this folder.
  chmodSync(folder, 0o711)
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  onCleanup(postgres.stop)
  const { owner, runtime } = await prepareCluster(postgres.socketDir, postgres.superuser)
  await migrate(owner, embeddedRuntimeRole)
  return { owner: openDatabase(owner, () => {}), runtime }
}

const addReseller = async (
  { owner, database, secrets }: { owner: Database; database: Database; secrets: Secrets },
  { tenantId, simulator }: Reseller,
) => {
  const by = { performer: 'proof', now: new Date() }
  await owner.transaction({ tenantId }, (db) =>
    createTenant(db, by, { id: tenantId, hosts: [], config: { company_name: tenantId } }),
  )
  await database.transaction({ tenantId }, async (db) => {
    await createUser(db, tenantId, by, {
      email: `admin@${tenantId}.example`,
      username: 'staff',
      customerName: 'Ada Admin',
      company: 'Company',
      initialPassword: PASSWORD,
      role: 'admin',
    })
    const { url: baseUrl, tokenUrl } = simulator
    await connectVendor(db, secrets, { tenantId, baseUrl, tokenUrl, ...DEFAULT_CREDENTIAL })
  })
}

interface Options {
  failures: readonly Failure[]
  terminals: number
  clock: { nowMs: number }
}

/** Our code as in production, assembled here because its clock is controlled; the vendors use the same clock. */
export const openStack = async ({ failures, terminals, clock }: Options) => {
  const now = () => new Date(clock.nowMs)
  const toRealTime = (at: Date | undefined) => at && new Date(Date.now() + at.getTime() - clock.nowMs)
  const log = pino({ level: 'silent' })
  const { owner, runtime } = await openPostgres()
  const database = openDatabase({ ...runtime, max: 20 }, () => {})
  onCleanup(database.close)
  const secrets = deriveSecrets('a key of the proofs that is long enough')
  const resellers: Reseller[] = []
  for (const failure of failures) {
    const simulator = await startSimulator({ terminals, seed: SEED, now: () => clock.nowMs })
    onCleanup(simulator.close)
    if (failure.isStanding && failure.scenario) simulator.play(failure.scenario)
    const reseller = { tenantId: failure.name, failure, simulator }
    await addReseller({ owner, database, secrets }, reseller)
    resellers.push(reseller)
  }
  await owner.close()
  const listener = listenToDatabase({ connection: runtime, log })
  onCleanup(listener.close)
  const fleet = await createFleet({ database, listener, log, now })
  onCleanup(fleet.close)
  const services = { config: readConfig({}), database, secrets, fleet, now }
  const app = await createApp(services, log, NO_DELAY_LIMIT)
  onCleanup(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const spool = await openTestSpool()
  // The vendor is polled more often than in production, so the counts are the worst case.
  const limits = { lingerMs: 500, sweepEveryMs: 0, inventoryEveryMs: 5_000, usageEveryMs: 10_000 }
  const commands = createCommandQueue({ database, secrets, now })
  const queues: Queues = {
    ...createVendorQueues({ database, spool, secrets, log, now, limits }),
    // Jobs are due by the database's clock, which the proof cannot move.
    commands: { ...commands, run: async (job, signal) => toRealTime(await commands.run(job, signal)) },
  }
  onCleanup(startWorker({ listener, log, now: () => new Date(), queues }).stop)
  return { url, database, resellers }
}

export type Stack = Awaited<ReturnType<typeof openStack>>
