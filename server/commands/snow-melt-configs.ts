import type { SnowMeltMode } from '#contract/snow-melt.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'

interface Entry {
  tenantId: string
  mode: SnowMeltMode
  /** The vendor's id of the configuration for this mode; null removes the entry. */
  configId: string | null
}

/** Sets the vendor's configuration for a snow melt mode. */
export const setSnowMeltConfig = async (
  db: Db,
  { performer, now }: { performer: string; now: Date },
  { tenantId, mode, configId }: Entry,
) => {
  if (configId === null)
    await db.deleteFrom('snow_melt_configs').where('tenant_id', '=', tenantId).where('mode', '=', mode).execute()
  else
    await db
      .insertInto('snow_melt_configs')
      .values({ tenant_id: tenantId, mode, config_id: configId })
      .onConflict((clash) => clash.columns(['tenant_id', 'mode']).doUpdateSet({ config_id: configId }))
      .execute()
  await recordAudit(db, tenantId, now, {
    performer,
    action: 'vendor.snow_melt',
    performee: mode,
    details: { configId },
  })
}
