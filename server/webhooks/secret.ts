import { createHmac, randomBytes } from 'node:crypto'
import type { SealedColumn } from '../platform/sealed-columns.ts'

const PREFIX = 'whsec_'

export const createWebhookSecret = () => `${PREFIX}${randomBytes(32).toString('base64')}`

const purpose = (column: string) => (tenantId: string, id: string) => `webhook ${column} ${tenantId} ${id}`
export const sealedSecret: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'sealed_secret',
  idColumn: 'id',
  buildPurpose: purpose('secret'),
}
/** Bound to the same context as when it was the current secret. */
export const sealedPreviousSecret: SealedColumn = { ...sealedSecret, column: 'sealed_previous_secret' }

interface Signed {
  id: string
  at: Date
  body: string
}

/** The headers of the Standard Webhooks specification, with a signature for each secret. */
export const signWebhook = (secrets: readonly string[], { id, at, body }: Signed) => {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
