import type { StarlinkClient } from '#starlink/client.ts'
import type { ReadResult } from '#starlink/paging.ts'
import type { Address, ServiceLine, UserTerminal } from '#starlink/wire.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import {
  clearShrunkInventory,
  type FeedCursor,
  findFeedCursor,
  recordFeedCursor,
  recordFeedSuccess,
  recordShrunkInventory,
} from '../telemetry/feed-state.ts'
import {
  findUnlistedLines,
  findUnlistedRouters,
  findUnlistedTerminals,
  markRemoved,
  type Unlisted,
} from './remove-unlisted.ts'
import { type GroupRule, storeLines, UNASSIGNED_GROUP } from './store-lines.ts'
import { storeProducts } from './store-products.ts'
import { storeRouters, storeTerminals } from './store-terminals.ts'

type InventoryCalls = Pick<
  StarlinkClient,
  'getAccount' | 'listAddresses' | 'listProducts' | 'readServiceLines' | 'readUserTerminals'
>

interface Options {
  database: Database
  client: InventoryCalls
  tenantId: string
  credentialId: number
  now: () => number
  assignGroup?: GroupRule
}

// The vendor has returned lists that were complete by their own count and lacked most of an account.
const SHRUNK_FOR_MS = 60 * 60_000

export interface InventoryCount {
  lines: number
  terminals: number
  changedLines: number
}

/**
 * Reads the vendor's inventory and stores it page by page, so that an account of any size appears as it is read. An
 * interrupted read resumes at its page. What the vendor no longer lists is removed only after every page was read.
 */
export const syncInventory = async (options: Options): Promise<InventoryCount> => {
  const { database, tenantId, credentialId } = options
  const cursor = await database.transaction({ tenantId }, (db) => findFeedCursor(db, { tenantId, credentialId }))
  const count = await readInventory(options, cursor)
  if (cursor === undefined) return count
  // Items may have moved to pages before the cursor since the last read.
  const stored = await database.transaction({ tenantId }, (db) => countStored(db, options))
  return stored.lines < count.lines || stored.terminals < count.terminals ? readInventory(options, undefined) : count
}

const readInventory = async (options: Options, cursor: FeedCursor | undefined): Promise<InventoryCount> => {
  const { database, client, tenantId, credentialId, now, assignGroup = () => UNASSIGNED_GROUP } = options
  const account = { tenantId, credentialId }
  const { accountNumber } = await client.getAccount()
  const products = (await client.listProducts()).items
  await database.transaction({ tenantId }, async (db) => {
    await db
      .updateTable('vendor_credentials')
      .set({ account_number: accountNumber })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', credentialId)
      .execute()
    await storeProducts(db, { ...account, products })
  })

  const changedLines = new Set<number>()
  /** Stores a page together with the cursor after it, in one transaction. */
  const storePage = (after: FeedCursor, store: (db: Db) => Promise<number[]>) =>
    database.transaction({ tenantId }, async (db) => {
      const changed = await store(db)
      await recordFeedCursor(db, account, after)
      await notifyLinesChanged(db, tenantId, changed)
      for (const id of changed) changedLines.add(id)
    })

  const findAddresses = createAddressLookup(client)
  const onLines = async (lines: ServiceLine[], { nextPage: page }: { nextPage: number }) => {
    const addresses = await findAddresses(lines)
    await storePage({ list: 'lines', page }, (db) =>
      storeLines(db, { ...account, lines, addresses, products, assignGroup }),
    )
  }
  const routerIds = new Set<string>()
  const onTerminals = (terminals: UserTerminal[], { nextPage: page }: { nextPage: number }) =>
    storePage({ list: 'terminals', page }, async (db) => {
      const changed = await storeTerminals(db, { ...account, terminals })
      for (const id of await storeRouters(db, { ...account, terminals })) routerIds.add(id)
      return changed
    })

  const areLinesRead = cursor?.list === 'terminals'
  const lines = areLinesRead
    ? undefined
    : await client.readServiceLines({ fromPage: getFromPage(cursor, 'lines'), onPage: onLines })
  const terminals = await client.readUserTerminals({ fromPage: getFromPage(cursor, 'terminals'), onPage: onTerminals })

  const shrunk = await database.transaction({ tenantId }, async (db) => {
    const unlisted = [
      ...(lines?.complete ? [await findUnlistedLines(db, account, lines.ids)] : []),
      ...(terminals.complete ? [await findUnlistedTerminals(db, account, terminals.ids)] : []),
      ...(terminals.complete ? [await findUnlistedRouters(db, account, routerIds)] : []),
    ]
    await recordFeedCursor(db, account, undefined)
    const at = new Date(now())
    const most = unlisted.find(({ ids, stored }) => ids.length > stored / 2)
    if (most && at.getTime() - (await recordShrunkInventory(db, { ...account, at })).getTime() < SHRUNK_FOR_MS)
      return most
    await clearShrunkInventory(db, account)
    const removed = unlisted.flatMap(({ lineIds }) => lineIds)
    for (const each of unlisted) await markRemoved(db, tenantId, each)
    // Their outages are over.
    if (unlisted.some(({ ids }) => ids.length > 0)) await enqueue(db, 'incidents', tenantId)
    await recordFeedSuccess(db, { ...account, feed: 'inventory', at })
    await notifyLinesChanged(db, tenantId, removed)
    for (const id of removed) changedLines.add(id)
    return undefined
  })
  if (shrunk) throw new Error(formatShrunk(shrunk))
  return { lines: countRead(lines), terminals: countRead(terminals), changedLines: changedLines.size }
}

const formatShrunk = ({ table, ids, stored }: Unlisted) =>
  `The vendor no longer lists ${ids.length} of ${stored} ${NOUNS[table]}. They remain until the lists have been like this for an hour.`

const NOUNS: Record<Unlisted['table'], string> = { service_lines: 'lines', terminals: 'terminals', routers: 'routers' }

const countRead = (read: ReadResult | undefined) => (read ? Math.max(read.ids.size, read.totalCount) : 0)

/** One page back: the page being read when the read was interrupted may have shifted. */
const getFromPage = (cursor: FeedCursor | undefined, list: FeedCursor['list']) =>
  cursor?.list === list ? Math.max(0, cursor.page - 1) : 0

/** Requests the addresses of a page of lines, each address once. */
const createAddressLookup = (client: Pick<StarlinkClient, 'listAddresses'>) => {
  const known = new Map<string, Address>()
  return async (lines: readonly ServiceLine[]) => {
    const wanted = new Set(lines.flatMap(({ addressReferenceId: id }) => id ?? []))
    const missing = [...wanted].filter((id) => !known.has(id))
    if (missing.length > 0)
      for (const address of (await client.listAddresses(missing)).items) known.set(address.addressReferenceId, address)
    return [...wanted].flatMap((id) => known.get(id) ?? [])
  }
}

const countStored = async (db: Db, { tenantId, credentialId }: Options) => {
  const count = async (table: 'service_lines' | 'terminals') => {
    const { stored } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('stored'))
      .where('tenant_id', '=', tenantId)
      .where('credential_id', '=', credentialId)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    return stored
  }
  return { lines: await count('service_lines'), terminals: await count('terminals') }
}
