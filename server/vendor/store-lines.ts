import { sql } from 'kysely'
import type { AccountGroup } from '#contract/executive.ts'
import type { Address, Product, ServiceLine } from '#starlink/wire.ts'
import type { Db } from '../platform/database/database.ts'

/** Assigns a new line to a customer. */
export type GroupRule = (line: ServiceLine) => string

export const UNASSIGNED_GROUP = 'unassigned'

// Columns that the vendor determines. Names, metadata and group are ours.
const VENDOR_COLUMNS = [
  'account_group',
  'credential_id',
  'nickname',
  'active',
  'public_ip',
  'opt_in_product_id',
  'product_id',
  'product_name',
  'street',
  'city',
  'state',
  'latitude',
  'longitude',
] as const

const columns = (table: string) => sql.raw(VENDOR_COLUMNS.map((name) => `${table}.${name}`).join(', '))
const assignments = sql.raw(VENDOR_COLUMNS.map((name) => `${name} = listed.${name}`).join(', '))

interface Inventory {
  tenantId: string
  credentialId: number
  lines: readonly ServiceLine[]
  /** Whether every line was listed. If so, a line that is missing was removed. */
  complete: boolean
  addresses: readonly Address[]
  products: readonly Product[]
  assignGroup: GroupRule
}

/** The executive dashboard groups lines by the country of the service address and the product family. */
const getAccountGroup = (address: Address | undefined, product: Product | undefined): AccountGroup => {
  const isLocal = /\blocal\b/i.test(product?.name ?? '')
  const isGlobal = /\bglobal\b/i.test(product?.name ?? '')
  if (address?.regionCode === 'CA' && isLocal) return 'Canadian Pool Local'
  if (address?.regionCode === 'US' && isGlobal) return 'US Pool Global'
  if (address?.regionCode === 'US' && isLocal) return 'US Local Pool'
  return 'Dishboard'
}

/** Stores the vendor's lines, matched by their number. Returns the ids of the lines that changed. */
export const storeLines = async (db: Db, inventory: Inventory): Promise<number[]> => {
  const { tenantId, credentialId, lines, complete, assignGroup } = inventory
  const addressesById = new Map(inventory.addresses.map((address) => [address.addressReferenceId, address]))
  const productsById = new Map(inventory.products.map((product) => [product.productReferenceId, product]))
  const rows = lines.map((line) => {
    const address = line.addressReferenceId === null ? undefined : addressesById.get(line.addressReferenceId)
    const product = line.productReferenceId === null ? undefined : productsById.get(line.productReferenceId)
    return {
      service_line_number: line.serviceLineNumber,
      credential_id: credentialId,
      nickname: line.nickname?.trim() || line.serviceLineNumber,
      group_name: assignGroup(line),
      account_group: getAccountGroup(address, product),
      active: line.active,
      public_ip: line.publicIp,
      opt_in_product_id: line.optInProductId,
      product_id: line.productReferenceId,
      product_name: product?.name ?? null,
      street: address?.addressLines[0] ?? null,
      city: address?.locality ?? null,
      state: address?.administrativeAreaCode ?? null,
      latitude: address?.latitude ?? null,
      longitude: address?.longitude ?? null,
    }
  })
  const listed = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as listed (
    service_line_number text, credential_id bigint, nickname text, group_name text, account_group text, active boolean, public_ip boolean,
    opt_in_product_id text, product_id text, product_name text, street text, city text, state text,
    latitude double precision, longitude double precision)`

  const updated = await sql<{ id: number }>`
    update service_lines as known set ${assignments}, removed_at = null
    from ${listed}
    where known.tenant_id = ${tenantId} and known.service_line_number = listed.service_line_number
      and (${columns('known')}, known.removed_at) is distinct from (${columns('listed')}, null)
    returning known.id`.execute(db)
  const inserted = await sql<{ id: number }>`
    insert into service_lines (tenant_id, service_line_number, group_name, ${sql.raw(VENDOR_COLUMNS.join(', '))})
    select ${tenantId}, listed.service_line_number, listed.group_name, ${columns('listed')}
    from ${listed}
    where not exists (
      select from service_lines as known
      where known.tenant_id = ${tenantId} and known.service_line_number = listed.service_line_number)
    order by listed.service_line_number
    returning id`.execute(db)
  const changed = [...updated.rows, ...inserted.rows]
  if (complete) {
    const removed = await sql<{ id: number }>`
      update service_lines as known set removed_at = now()
      where known.tenant_id = ${tenantId} and known.credential_id = ${credentialId} and known.removed_at is null
        and known.service_line_number <> all (${lines.map((line) => line.serviceLineNumber)}::text[])
      returning known.id`.execute(db)
    changed.push(...removed.rows)
  }
  return changed.map(({ id }) => id)
}
