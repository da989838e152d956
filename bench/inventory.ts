import pg from 'pg'
import { forBackgroundWork, openDatabase } from '#server/platform/database/database.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { syncInventory } from '#server/vendor/sync-inventory.ts'
import { syncUsage } from '#server/vendor/sync-usage.ts'
import { startSimulator } from '#simulator/server.ts'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { createRequestBudget } from '#starlink/request-budget.ts'
import { type Connections, withDatabase } from './database.ts'
import type { Figure } from './figures.ts'

const TENANT = 'bench'
const DEFAULT_SIZES = [3_000, 12_000]
const REQUESTS_PER_MINUTE = 130
/** Lifts the vendor's rate limit: its clock runs ahead. */
const NO_LIMIT = 1_000_000
const CLOCK_STEP_MS = 300
const PREVIOUS_CYCLES = 2

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1000

/** Counts requests, and the time until the first page of lines is stored. */
const watchPages = (client: StarlinkClient, startedMs: number) => {
  let shownAfterS = 0
  const readServiceLines: StarlinkClient['readServiceLines'] = ({ onPage, ...reading }) =>
    client.readServiceLines({
      ...reading,
      onPage: async (lines, progress) => {
        await onPage(lines, progress)
        shownAfterS ||= secondsSince(startedMs)
      },
    })
  return { client: { ...client, readServiceLines }, getShownAfterS: () => shownAfterS }
}

const measure = async ({ owner, runtime }: Connections, terminals: number): Promise<Figure[]> => {
  const admin = new pg.Client(owner)
  await admin.connect()
  await admin.query('insert into tenants (id) values ($1)', [TENANT])
  await admin.end()
  let vendorMs = Date.now()
  const simulator = await startSimulator({
    accounts: [{ clientId: 'bench', clientSecret: 'bench', terminals }],
    now: () => {
      vendorMs += CLOCK_STEP_MS
      return vendorMs
    },
  })
  const database = forBackgroundWork(openDatabase(runtime, () => {}))
  const credential = {
    clientId: 'bench',
    clientSecret: 'bench',
    baseUrl: simulator.url,
    tokenUrl: simulator.tokenUrl,
  }
  const credentialId = await database.transaction({ tenantId: TENANT }, (db) =>
    connectVendor(db, deriveSecrets('bench'), { tenantId: TENANT, ...credential }),
  )
  let requests = 0
  const plain = createStarlinkClient({
    ...credential,
    budget: createRequestBudget({ perMinute: NO_LIMIT }),
    onRequest: () => void requests++,
  })
  const scope = { database, tenantId: TENANT, credentialId, now: Date.now }
  const startedMs = performance.now()
  const { client, getShownAfterS } = watchPages(plain, startedMs)
  await syncInventory({ ...scope, client })
  const firstS = secondsSince(startedMs)
  const firstRequests = requests
  const againMs = performance.now()
  await syncInventory({ ...scope, client: plain })
  const againS = secondsSince(againMs)
  const usageMs = performance.now()
  const usageCpu = process.cpuUsage()
  await syncUsage({ ...scope, client: plain, warnOnce: () => {}, previousBillingCycles: PREVIOUS_CYCLES })
  const usageS = secondsSince(usageMs)
  const { user, system } = process.cpuUsage(usageCpu)
  await database.close()
  await simulator.close()
  const name = (what: string) => `${terminals.toLocaleString('en-US')} terminals: ${what}`
  return [
    { name: name('first inventory'), value: firstS, unit: 's' },
    { name: name('time for each terminal'), value: (firstS * 1000) / terminals, unit: 'ms' },
    { name: name('first lines shown after'), value: getShownAfterS(), unit: 's' },
    { name: name('the same inventory again'), value: againS, unit: 's' },
    { name: name('usage of three cycles'), value: usageS, unit: 's' },
    { name: name('processor time of it, with the simulated vendor'), value: (user + system) / 1e6, unit: 's' },
    { name: name('requests'), value: firstRequests, unit: '' },
    { name: name('shortest by the vendor’s rate limit'), value: firstRequests / REQUESTS_PER_MINUTE, unit: 'min' },
  ]
}

/** The first inventory and usage of an account, from HTTP to rows, with the rate limit of the vendor lifted. */
export const measureInventory = async (sizes: readonly number[]): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const terminals of sizes.length > 0 ? sizes : DEFAULT_SIZES)
    figures.push(...(await withDatabase((connections) => measure(connections, terminals))))
  return figures
}
