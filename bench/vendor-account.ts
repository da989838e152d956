import pg from 'pg'
import { forBackgroundWork, openDatabase } from '#server/platform/database/database.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { startSimulator } from '#simulator/server.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { createRequestBudget } from '#starlink/request-budget.ts'
import { withDatabase } from './database.ts'

const TENANT = 'bench'
/** Lifts the vendor's rate limit: its clock runs ahead. */
const NO_LIMIT = 1_000_000
const CLOCK_STEP_MS = 300

const connectAccount = async (runtime: pg.PoolConfig, terminals: number) => {
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
  const client = createStarlinkClient({
    ...credential,
    budget: createRequestBudget({ perMinute: NO_LIMIT }),
    onRequest: () => void requests++,
  })
  return {
    scope: { database, client, tenantId: TENANT, credentialId, now: Date.now },
    countRequests: () => requests,
    close: async () => {
      await database.close()
      await simulator.close()
    },
  }
}

/** A tenant's account at a simulated vendor without a rate limit, from which nothing has been read. */
type VendorAccount = Omit<Awaited<ReturnType<typeof connectAccount>>, 'close'>

export const withVendorAccount = <T>(terminals: number, work: (account: VendorAccount) => Promise<T>): Promise<T> =>
  withDatabase(async ({ owner, runtime }) => {
    const admin = new pg.Client(owner)
    await admin.connect()
    await admin.query('insert into tenants (id) values ($1)', [TENANT])
    await admin.end()
    const account = await connectAccount(runtime, terminals)
    try {
      return await work(account)
    } finally {
      await account.close()
    }
  })
