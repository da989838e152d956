import type { StarlinkClient } from '#starlink/client.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database } from '../platform/database/database.ts'
import { recordFeedSuccess } from '../telemetry/feed-state.ts'
import { type GroupRule, storeLines, UNASSIGNED_GROUP } from './store-lines.ts'
import { storeProducts } from './store-products.ts'
import { storeRouters, storeTerminals } from './store-terminals.ts'

type InventoryCalls = Pick<
  StarlinkClient,
  'getAccount' | 'listAddresses' | 'listProducts' | 'listServiceLines' | 'listUserTerminals'
>

interface Options {
  database: Database
  client: InventoryCalls
  tenantId: string
  credentialId: number
  now: () => number
  assignGroup?: GroupRule
}

export interface InventoryCount {
  lines: number
  terminals: number
  changedLines: number
}

/** Reads the vendor's whole inventory first, then stores it in one transaction. */
export const syncInventory = async (options: Options): Promise<InventoryCount> => {
  const { database, client, tenantId, credentialId, now, assignGroup = () => UNASSIGNED_GROUP } = options
  const account = await client.getAccount()
  const addresses = await client.listAddresses()
  const products = await client.listProducts()
  const lines = await client.listServiceLines()
  const terminals = await client.listUserTerminals()

  return database.transaction({ tenantId }, async (db) => {
    await db
      .updateTable('vendor_credentials')
      .set({ account_number: account.accountNumber })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', credentialId)
      .execute()
    await storeProducts(db, { tenantId, credentialId, products: products.items })
    const changedLines = await storeLines(db, {
      tenantId,
      credentialId,
      lines: lines.items,
      complete: lines.complete,
      addresses: addresses.items,
      products: products.items,
      assignGroup,
    })
    const listed = { tenantId, credentialId, terminals: terminals.items, complete: terminals.complete }
    changedLines.push(...(await storeTerminals(db, listed)))
    await storeRouters(db, listed)
    await recordFeedSuccess(db, { tenantId, credentialId, feed: 'inventory', at: new Date(now()) })
    await notifyLinesChanged(db, tenantId, changedLines)
    return {
      lines: lines.items.length,
      terminals: terminals.items.length,
      changedLines: new Set(changedLines).size,
    }
  })
}
