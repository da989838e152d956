import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/platform/config.ts'
import type { AppServices } from '#server/process/app.ts'
import { type Installation, openInstallation } from '#server/process/installation.ts'
import { type ProcessRoles, type Running, runApp } from '#server/process/run.ts'
import type { WorkOptions } from '#server/process/work.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { requestsPerMinute } from '#server/vendor/request-shares.ts'
import { REQUESTS_PER_MINUTE } from '#simulator/accounts.ts'
import { addBusiness } from './business.ts'
import { registerDirectory } from './directory.ts'
import { startHistory } from './history.ts'
import { startPastConsequences } from './past-consequences.ts'
import { startDemoPools } from './pools.ts'
import { provisionDemo } from './provision.ts'
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts'
import { chooseDemoGroup, demoTenants } from './tenants.ts'

const SEED = 1959
const ROLES: ProcessRoles = { serve: true, work: true }
// The history of a large fleet would fill any cache, so this bounds the memory of the demo.
const POSTGRES_SETTINGS = { shared_buffers: '128MB' }

/**
 * The simulated vendor's rate limit per account and minute. The real one allows 250 whatever the size, with which the first
 * inventory and usage of 10,000 terminals, 385 requests, would take minutes, too long for a demo.
 */
export const allowRequests = (terminals: number) => {
  const forSize = Math.ceil(terminals / 20)
  return { vendor: REQUESTS_PER_MINUTE + forSize, feeds: requestsPerMinute.feeds + forSize }
}

// A stop waits for the response in flight, because the vendor sends each one once.
const LIMITS = { lingerMs: 2_000 }

export interface Stack {
  url: string
  simulator: SimulatorProcess
  installation: Installation
  poolsReady: Promise<void>
  /** Resolves when the status history of the past 30 days is written. */
  statusReady: Promise<void>
  stop: () => Promise<void>
}

interface Options {
  config: Config
  log: FastifyBaseLogger
  onProgress?: (message: string) => void
  limits?: WorkOptions['limits']
  /** Whether the tenants have six weeks of history. Tests start without it, with the vendor's names only. */
  hasPast?: boolean
  /** Aborts a start in progress. */
  stopping?: AbortSignal
}

const withFleet = demoTenants.filter(({ share }) => share > 0)

// The simulator listens on loopback and holds nothing of value, so its secrets may be predictable.
const buildAccounts = (terminals: number) =>
  withFleet.map(({ id, share }) => ({
    clientId: `demo-${id}`,
    clientSecret: `simulated-secret-of-${id}`,
    terminals: Math.max(1, Math.round(terminals * share)),
  }))

const connectTenants = async (
  installation: Installation,
  simulator: SimulatorProcess,
  accounts: ReturnType<typeof buildAccounts>,
) => {
  for (const [index, { id: tenantId }] of withFleet.entries()) {
    const account = accounts[index] as (typeof accounts)[number]
    await installation.database.transaction({ tenantId }, (db) =>
      connectVendor(db, installation.secrets, {
        tenantId,
        ...account,
        baseUrl: simulator.baseUrl,
        tokenUrl: simulator.tokenUrl,
      }),
    )
  }
}

/** The whole app with demo tenants and a simulated vendor, for the demo and the browser tests. */
export const startStack = async ({
  config,
  log,
  onProgress = () => {},
  limits,
  hasPast,
  stopping,
}: Options): Promise<Stack> => {
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const installation = await openInstallation(config, {
      onProgress,
      postgresSettings: POSTGRES_SETTINGS,
      onError: (error) => log.warn({ err: error }, 'A database connection broke.'),
      stopping,
    })
    undo.push(installation.close)
    stopping?.throwIfAborted()
    onProgress('creating the demo tenants')
    await provisionDemo(installation)
    stopping?.throwIfAborted()
    onProgress('starting the simulated fleet')
    const accounts = buildAccounts(config.demoTerminals)
    const allowed = allowRequests(config.demoTerminals)
    const simulator = await startSimulatorProcess(accounts, SEED, allowed.vendor)
    undo.push(simulator.stop)
    await connectTenants(installation, simulator, accounts)
    stopping?.throwIfAborted()
    let services: AppServices | undefined
    let history: ReturnType<typeof startHistory> | undefined
    const running: Running = await runApp(config, installation, ROLES, log, {
      limits: { ...LIMITS, requestsPerMinute: allowed.feeds, ...limits },
      assignGroup: chooseDemoGroup,
      registerRoutes: (app, given) => {
        services = given
        registerDirectory(app, given, () => history?.getShare() ?? 0)
      },
    })
    // Stopped concurrently: each waits for its work in progress.
    const parts = [running.stop]
    undo.push(async () => void (await Promise.all(parts.map((stopPart) => stopPart()))))
    const addPast = async (tenantId: string) => !hasPast || addBusiness(services as AppServices, tenantId)
    const pools = startDemoPools({ installation, log, addPast })
    parts.push(pools.stop)
    history = startHistory({
      after: pools.ready,
      connection: installation.runtime,
      seed: SEED,
      accounts: accounts.map(({ clientId, terminals }, index) => ({
        tenantId: withFleet[index]?.id as string,
        clientId,
        terminals,
      })),
      log,
      onProgress,
    })
    parts.push(history.stop)
    if (hasPast) {
      const tenantIds = withFleet.map(({ id }) => id)
      const past = Promise.all([history.statusReady, pools.ready]).then(() => {})
      parts.push(startPastConsequences({ database: installation.database, tenantIds, statusReady: past, log }).stop)
    }
    return {
      url: running.url as string,
      simulator,
      installation,
      poolsReady: pools.ready,
      statusReady: history.statusReady,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
