import { enqueue } from '../../platform/worker/enqueue.ts'
import { connectVendor } from '../../vendor/credentials.ts'
import { syncInventory } from '../../vendor/sync-inventory.ts'
import { createTwoAccounts, secrets } from '../../vendor/testing/two-accounts.ts'
import { findCycle } from '../billing-cycle.ts'
import { toDay } from '../days.ts'
import { lockPool } from '../pool-row.ts'
import { reconcilePool } from '../reconcile-pool.ts'
import { startWatchedVendor } from './watched-vendor.ts'

// No cycle ends while the tests run.
export const anchorDay = new Date().getUTCDate() > 14 ? 10 : 20
export const cycle = findCycle(toDay(new Date()), anchorDay)

/** Two accounts of the simulated vendor. Calls to alpha's go through a proxy that a test can control. */
export const startCappedPools = async () => {
  const accounts = await createTwoAccounts()
  const vendor = await startWatchedVendor(accounts.simulator.origin)
  const { tenantId, client } = accounts.alpha
  const credential = {
    clientId: 'client-alpha',
    clientSecret: 'secret-alpha',
    baseUrl: accounts.simulator.url.replace(accounts.simulator.origin, vendor.origin),
    tokenUrl: accounts.simulator.tokenUrl,
  }
  await syncInventory(accounts.alpha)
  await accounts.database.transaction({ tenantId }, (db) => connectVendor(db, secrets, { tenantId, ...credential }))

  /** A capped pool with every active line of the account, all opted in, and its limit reached. */
  const createCappedPool = async () => {
    vendor.watch.optOut = (_, carryOut) => carryOut()
    const active = (await client.listServiceLines()).items.filter((line) => line.active)
    const numbers = active.map((line) => line.serviceLineNumber)
    for (const number of numbers) await client.optIn(number)
    accounts.simulator.simulation.changes.lines.clear()
    for (const number of numbers) await client.optIn(number)
    await syncInventory(accounts.alpha)
    const poolId = await accounts.database.transaction({ tenantId }, async (db) => {
      await db.deleteFrom('pools').execute()
      const { id } = await db
        .insertInto('pools')
        .values({
          tenant_id: tenantId,
          name: 'Capped',
          over_limit_behavior: 'Hard Cap',
          usage_limit_gb: 1,
          next_usage_limit_gb: 1,
          anchor_day: anchorDay,
          cycle_start: cycle.start,
          cycle_end: cycle.end,
          created_at: new Date(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const lines = await db.selectFrom('service_lines').select('id').where('active', '=', true).execute()
      for (const line of lines) {
        await db
          .insertInto('pool_lines')
          .values({ tenant_id: tenantId, pool_id: id, service_line_id: line.id })
          .execute()
        const use = { priority_gb: 5, standard_gb: 0, opt_in_priority_gb: 0, non_billable_gb: 0 }
        await db
          .insertInto('daily_usage')
          .values({ tenant_id: tenantId, service_line_id: line.id, day: cycle.start, ...use })
          .onConflict((clash) => clash.doNothing())
          .execute()
      }
      await reconcilePool(db, await lockPool(db, tenantId, id), new Date())
      await enqueue(db, 'pools', tenantId)
      return id
    })
    return { poolId, numbers }
  }

  return {
    ...accounts,
    vendor,
    credential,
    createCappedPool,
    close: async () => {
      await vendor.close()
      await accounts.close()
    },
  }
}

export type CappedPools = Awaited<ReturnType<typeof startCappedPools>>
