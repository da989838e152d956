import pg from 'pg'
import { expect, test } from 'vitest'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { syncInventory } from '#server/vendor/sync-inventory.ts'
import { syncUsage } from '#server/vendor/sync-usage.ts'
import { startSimulator } from '#simulator/server.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { createRequestBudget } from '#starlink/request-budget.ts'
import { allowRequests } from './stack.ts'

const TERMINALS = 5_000

test('the first inventory and usage of a large demo never wait for the limit of requests', async () => {
  const allowed = allowRequests(TERMINALS)
  const db = await createTestDatabase()
  const simulator = await startSimulator({ terminals: TERMINALS, requestsPerMinute: allowed.vendor })
  try {
    const superuser = new pg.Client(db.superuser)
    await superuser.connect()
    await superuser.query("insert into tenants (id) values ('a')")
    await superuser.end()
    const credential = {
      clientId: 'simulator',
      clientSecret: 'simulator-secret',
      baseUrl: simulator.url,
      tokenUrl: simulator.tokenUrl,
    }
    const { database } = db
    const credentialId = await database.transaction({ tenantId: 'a' }, (each) =>
      connectVendor(each, deriveSecrets('test'), { tenantId: 'a', ...credential }),
    )
    let requests = 0
    const client = createStarlinkClient({
      ...credential,
      budget: createRequestBudget({
        perMinute: allowed.feeds,
        // However long this takes, all requests are in the same minute.
        now: () => 0,
        sleep: () => Promise.reject(new Error('It had to wait.')),
      }),
      onRequest: () => void requests++,
    })
    const scope = { database, client, tenantId: 'a', credentialId, now: Date.now }
    const { terminals } = await syncInventory(scope)
    for (const previousBillingCycles of [0, 2]) await syncUsage({ ...scope, warnOnce: () => {}, previousBillingCycles })
    expect(terminals).toBe(TERMINALS)
    expect(requests).toBeGreaterThan(130)
  } finally {
    await simulator.close()
    await db.close()
  }
})
