import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { contentPolicy } from './content-policy.ts'

/** Nothing on our pages uses these, so that no script on them can. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Not for the subdomains of a tenant's host, which are not ours. */
const TRANSPORT_SECURITY = 'max-age=31536000'

/** The headers of every response. A route may replace them by its own. */
export const registerResponseHeaders = async (app: FastifyInstance) => {
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: false,
    // Tile servers refuse requests without a referrer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', contentPolicy)
    // As a trusted proxy reports it: over plain HTTP, browsers ignore the header.
    if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT_SECURITY)
    // Answers of the API contain personal data and tokens, and differ by the sender and the tenant.
    if (request.url.startsWith('/api/')) reply.headers({ 'cache-control': 'no-store', vary: 'authorization, x-tenant' })
    else reply.header('permissions-policy', PERMISSIONS_POLICY)
  })
}
