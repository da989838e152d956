import type { webhooks } from '#contract/webhooks.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { getDelivery, listDeliveries, resendDelivery, sendTest } from './deliveries.ts'
import { listEndpoints } from './endpoint-rows.ts'
import { changeEndpoint, createEndpoint, removeEndpoint, rotateSecret, setPaused } from './manage-endpoints.ts'

export const webhookHandlers: Handlers<typeof webhooks> = {
  list: async ({ transaction, tenantId, services }) => ({
    webhooks: await transaction((db) => listEndpoints(db, tenantId, services.now())),
  }),
  create: createEndpoint,
  change: changeEndpoint,
  remove: removeEndpoint,
  rotateSecret,
  setPaused,
  test: sendTest,
  deliveries: listDeliveries,
  delivery: getDelivery,
  resend: resendDelivery,
}
