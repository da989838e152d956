import { sql } from 'kysely'
import type { Product } from '#starlink/wire.ts'
import type { Db } from '../platform/database/database.ts'

interface Listed {
  tenantId: string
  credentialId: number
  products: readonly Product[]
}

/** Stores the vendor's products and prices. A discontinued product stays, because lines may still have it. */
export const storeProducts = async (db: Db, { tenantId, credentialId, products }: Listed) => {
  const rows = products.map((product) => ({
    product_id: product.productReferenceId,
    name: product.name,
    price_cents: Math.round(product.price * 100),
    currency: product.isoCurrencyCode,
  }))
  await sql`
    insert into vendor_products as known (tenant_id, credential_id, product_id, name, price_cents, currency)
    select distinct on (listed.product_id) ${tenantId}, ${credentialId}::bigint, listed.product_id, listed.name,
      listed.price_cents, listed.currency
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as listed (product_id text, name text, price_cents bigint, currency text)
    on conflict (tenant_id, credential_id, product_id) do update set
      name = excluded.name, price_cents = excluded.price_cents, currency = excluded.currency
    where (known.name, known.price_cents, known.currency)
      is distinct from (excluded.name, excluded.price_cents, excluded.currency)`.execute(db)
}
