import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Access, Route, RouteInput, RouteOutput, RouteTable } from '#contract/route.ts'
import type { AnonymousContext, Context, SenderFacts } from '../context.ts'
import { type Identification, identifySender } from './identify-sender.ts'
import { limitConcurrency, limitIdentification } from './load-shedding.ts'
import { limitVisitorBody, parseInput, readTenantInBody } from './read-request.ts'
import { setSender } from './request-log.ts'

/** A response that the contract does not encode from a value: a stream, or ready-made text. */
export class RawResponse {
  readonly send: (request: FastifyRequest, reply: FastifyReply) => unknown
  constructor(send: (request: FastifyRequest, reply: FastifyReply) => unknown) {
    this.send = send
  }
}

type ContextFor<A extends Access> = A extends 'public'
  ? AnonymousContext
  : A extends 'optional'
    ? AnonymousContext | Context
    : Context
type Handle<R extends Route> = (
  context: R extends Route<R['input'], R['output'], infer A> ? ContextFor<A> : never,
  input: RouteInput<R>,
) => Promise<RouteOutput<R> | RawResponse>
/**
 * Throws if the sender may not make this call at the moment. It runs before the body is read, so it has the sender and no
 * input.
 */
type CheckSender = (context: AnonymousContext) => Promise<SenderFacts>
type Handler<R extends Route> = Handle<R> | { checkSender: CheckSender; handle: Handle<R> }

export type Handlers<T extends RouteTable> = { [K in keyof T]: Handler<T[K]> }

interface Mounting extends Identification {
  /** The scopes of which an API token needs at least one for this call. */
  listScopes: (name: string, route: Route) => readonly string[] | undefined
}

/** Serves each call of a table. A call without a handler does not compile. */
export const mount = <T extends RouteTable>(
  app: FastifyInstance,
  mounting: Mounting,
  table: T,
  handlers: Handlers<T>,
) => {
  const { services, resolveTenant } = mounting
  for (const [name, route] of Object.entries(table)) {
    const handler = handlers[name] as unknown as Handler<Route>
    const { handle, checkSender } = 'handle' in handler ? handler : { handle: handler, checkSender: undefined }
    const scopes = mounting.listScopes(name, route)
    const contexts = new WeakMap<FastifyRequest, AnonymousContext | Context>()

    const respond = async (request: FastifyRequest) => {
      let context = contexts.get(request) as AnonymousContext | Context
      if (!('user' in context) && context.tenantId === undefined) {
        const address = readTenantInBody(request)
        if (address) context = { ...context, tenantId: await resolveTenant(services.database, address) }
        if (context.tenantId !== undefined) context = { ...context, ...(await checkSender?.(context)) }
      }
      return handle(context as never, parseInput(route, request))
    }

    app.route({
      method: route.method,
      url: `/api${route.path}`,
      ...(route.maxBodyBytes && { bodyLimit: route.maxBodyBytes }),
      config: { isNeverShed: route.isNeverShed === true },
      // Before the body is read: a sender without access must not make the server receive and parse one. The slot is
      // released meanwhile, or a few clients that send their bodies slowly would occupy all slots.
      onRequest: (request, reply) => {
        const identify = async () => {
          const context = await identifySender(mounting, route, scopes, request, reply)
          const user = 'user' in context ? context.user : undefined
          setSender(request, { tenantId: context.tenantId, userId: user?.userId, tokenId: user?.token?.id })
          if (!user) limitVisitorBody(route, request)
          const facts = await checkSender?.({ ...context, services })
          contexts.set(request, { ...context, ...facts })
        }
        return route.isNeverShed ? identify() : limitIdentification(identify)
      },
      handler: async (request, reply) => {
        const { tenantId } = contexts.get(request) as AnonymousContext | Context
        const result = await (route.isNeverShed ? respond(request) : limitConcurrency(tenantId, () => respond(request)))
        if (result instanceof RawResponse) return result.send(request, reply)
        return reply.send(z.encode(route.output, result as never))
      },
    })
  }
}
