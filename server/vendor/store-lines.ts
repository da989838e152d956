import { sql } from 'kysely'
import type { AccountGroup } from '#contract/account-groups.ts'
import type { Address, Product, ServiceLine } from '#starlink/wire.ts'
import type { Db } from '../platform/database/database.ts'
import { refreshStatistics } from '../platform/database/refresh-statistics.ts'

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
  'country',
  'latitude',
  'longitude',
] as const

const columns = (table: string) => sql.raw(VENDOR_COLUMNS.map((name) => `${table}.${name}`).join(', '))
const assignments = sql.raw(VENDOR_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', '))

interface Inventory {
  tenantId: string
  credentialId: number
  /** A page of the list, each line once. */
  lines: readonly ServiceLine[]
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

/**
 * Stores a page of the vendor's lines, matched by their number. Returns the ids of the lines that changed. Each line is
 * looked up by index, however many there are.
 */
export const storeLines = async (db: Db, inventory: Inventory): Promise<number[]> => {
  const { tenantId, credentialId, lines, assignGroup } = inventory
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
      country: address?.regionCode ?? null,
      latitude: address?.latitude ?? null,
      longitude: address?.longitude ?? null,
    }
  })
  const listed = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as listed (
    service_line_number text, credential_id bigint, nickname text, group_name text, account_group text, active boolean, public_ip boolean,
    opt_in_product_id text, product_id text, product_name text, street text, city text, state text, country text,
    latitude double precision, longitude double precision)`

  const { rows: changed } = await sql<{ id: number }>`
    insert into service_lines (tenant_id, service_line_number, group_name, ${sql.raw(VENDOR_COLUMNS.join(', '))})
    select ${tenantId}, listed.service_line_number, listed.group_name, ${columns('listed')}
    from ${listed}
    left join lateral (
      select * from service_lines
      where tenant_id = ${tenantId} and service_line_number = listed.service_line_number
      limit 1) as known on true
    where known.id is null or (${columns('known')}, known.removed_at) is distinct from (${columns('listed')}, null)
    order by listed.service_line_number
    on conflict (tenant_id, service_line_number) do update set ${assignments}, removed_at = null
    returning id`.execute(db)
  await refreshStatistics(db, { service_lines: changed.length, fact_versions: changed.length })
  return changed.map(({ id }) => id)
}
