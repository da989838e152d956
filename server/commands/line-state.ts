import type { StarlinkClient } from '#starlink/client.ts'
import type { Db } from '../platform/database/database.ts'

/** The current state of a line at the vendor. */
export interface LineState {
  publicIp: boolean
  optInProductId: string | null
}

/** Only reads earlier what the next inventory sync would read, so a failure here does not fail the command. */
export const findLineState = async (
  client: Pick<StarlinkClient, 'getServiceLine'>,
  serviceLineNumber: string,
): Promise<LineState | undefined> => {
  try {
    const { publicIp, optInProductId } = await client.getServiceLine(serviceLineNumber)
    return { publicIp, optInProductId }
  } catch {
    return undefined
  }
}

export const storeLineState = async (db: Db, tenantId: string, lineId: number, state: LineState) => {
  await db
    .updateTable('service_lines')
    .set({ public_ip: state.publicIp, opt_in_product_id: state.optInProductId })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', lineId)
    .execute()
}
