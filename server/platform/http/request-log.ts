import type { FastifyInstance, FastifyRequest } from 'fastify'

interface Sender {
  tenantId: string | undefined
  userId: number | undefined
  tokenId: string | undefined
}

const senders = new WeakMap<FastifyRequest, Sender>()

/** Lets the line of this request name who sent it. */
export const setSender = (request: FastifyRequest, sender: Sender) => senders.set(request, sender)

/** Whether a user or one of their tokens sends this request. */
export const isFromUser = (request: FastifyRequest) => senders.get(request)?.userId !== undefined

/**
 * One line for each request, when its response has ended. It has the pattern of the route and not the address: path, query,
 * headers and body may hold secrets. Pages and files are logged at the level debug.
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
