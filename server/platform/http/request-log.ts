import type { FastifyInstance, FastifyRequest } from 'fastify'

interface Sender {
  tenantId: string | undefined
  userId: number | undefined
  tokenId: string | undefined
}

const senders = new WeakMap<FastifyRequest, Sender>()

/** Sets the sender to name in this request's log line. */
export const setSender = (request: FastifyRequest, sender: Sender) => senders.set(request, sender)

/** Whether a user or one of their API tokens sent this request. */
export const isFromUser = (request: FastifyRequest) => senders.get(request)?.userId !== undefined

/**
 * Logs one line per request, when its response has ended. It has the route pattern instead of the URL: path, query,
 * headers and body may contain secrets. Pages and files are logged at debug level.
 */
export const registerRequestLog = (app: FastifyInstance) => {
  app.addHook('onResponse', async (request, reply) => {
    const { tenantId, userId, tokenId } = senders.get(request) ?? {}
    const line = {
      tenant: tenantId,
      user: userId,
      token: tokenId,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (request.routeOptions.url?.startsWith('/api/')) request.log.info(line, 'request')
    else request.log.debug(line, 'request')
  })
}
