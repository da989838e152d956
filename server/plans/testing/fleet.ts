import type { Database } from '../../platform/database/database.ts'
import { recordFeedSuccess } from '../../telemetry/feed-state.ts'
import { addCredential, addLine } from '../../testing/add-line.ts'
import { addDays, type Day } from '../days.ts'

interface NewLine {
  number: string
  group?: string
  optedIn?: boolean
  /** The monthly cost of the line in US cents; null if unknown. */
  priceCents?: number | null
}

/** A tenant's lines and their usage, written as the sync writes them. */
export const createFleet = async (database: Database, tenantId: string) => {
  const inTenant = <T>(work: Parameters<typeof database.transaction<T>>[1]) => database.transaction({ tenantId }, work)
  const credentialId = await inTenant((db) => addCredential(db, tenantId))

  const addPricedLine = ({ number, group = 'north', optedIn = false, priceCents = 6_500 }: NewLine) =>
    inTenant(async (db) => {
      const productId = `product of ${priceCents}`
      await db
        .insertInto('vendor_products')
        .values({
          tenant_id: tenantId,
          credential_id: credentialId,
          product_id: productId,
          name: `Local ${priceCents}`,
          price_cents: priceCents ?? 0,
          currency: priceCents === null ? 'CAD' : 'USD',
        })
        .onConflict((clash) => clash.doNothing())
        .execute()
      const { lineId } = await addLine(db, tenantId, {
        credential_id: credentialId,
        service_line_number: number,
        nickname: `Line ${number}`,
        group_name: group,
        account_group: 'US Local Pool',
        opt_in_product_id: optedIn ? 'overage' : null,
        product_id: productId,
        product_name: `Local ${priceCents}`,
        terminals: [{ device_id: `device of ${number}`, kit_serial: `KIT-${number}` }],
      })
      return lineId
    })

  /** Adds the usage of a line on consecutive days. The vendor's figures are then dated `knownAt`. */
  const use = (lineId: number, firstDay: Day, gb: readonly number[], knownAt: Date) =>
    inTenant(async (db) => {
      for (const [index, priority_gb] of gb.entries())
        await db
          .insertInto('daily_usage')
          .values({
            tenant_id: tenantId,
            service_line_id: lineId,
            day: addDays(firstDay, index),
            priority_gb,
            standard_gb: 0,
            opt_in_priority_gb: 0,
            non_billable_gb: 0,
          })
          .onConflict((known) => known.columns(['tenant_id', 'service_line_id', 'day']).doUpdateSet({ priority_gb }))
          .execute()
      await recordFeedSuccess(db, { tenantId, credentialId, feed: 'usage', at: knownAt })
    })

  const setCycle = (lineId: number, start: Day, end: Day, priority_gb = 0, usage_limit_gb = 50) =>
    inTenant(async (db) => {
      await db
        .insertInto('line_usage')
        .values({
          tenant_id: tenantId,
          service_line_id: lineId,
          cycle_start: start,
          cycle_end: end,
          priority_gb,
          standard_gb: 0,
          opt_in_priority_gb: 0,
          non_billable_gb: 0,
          usage_limit_gb,
        })
        .execute()
    })

  return { credentialId, inTenant, addLine: addPricedLine, use, setCycle }
}
