import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { isApiRequest } from '../platform/http/api-request.ts'
import { contentPolicy } from './content-policy.ts'

/** Our pages use none of these, so no script on them may. */
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

/** Without subdomains: those of a tenant's host are not ours. */
const TRANSPORT_SECURITY = 'max-age=31536000'

/** The headers of every response. A route may override them. */
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
    // The protocol as a trusted proxy reports it; over plain HTTP, browsers ignore the header.
    if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT_SECURITY)
    // API responses contain personal data and tokens, and differ by sender and tenant.
    if (isApiRequest(request)) reply.headers({ 'cache-control': 'no-store', vary: 'authorization, x-tenant' })
    else reply.header('permissions-policy', PERMISSIONS_POLICY)
  })
}
