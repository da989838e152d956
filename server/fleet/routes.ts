import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { terminals } from '#contract/terminals.ts'
import type { Context } from '../context.ts'
import { Direct, type Handlers } from '../http.ts'
import { listDetails } from './details-queries.ts'
import { chooseEncoding } from './packed-body.ts'

/** An administrator sees every line of the tenant, others those of their group. */
const groupOf = ({ person }: Context) => (person.role === 'admin' ? undefined : person.group)

// Keyed by all that decides what the answer holds; a group's name may hold what a header may not.
const etagOf = (tenantId: string, group: string | undefined, revision: string) => {
  const view = createHash('sha256').update(`${tenantId}\n${group === undefined ? '' : `group ${group}`}`)
  return `W/"${view.digest('base64url').slice(0, 16)}.${revision}"`
}

const holds = (request: FastifyRequest, etag: string) =>
  (request.headers['if-none-match'] ?? '').split(',').some((known) => known.trim() === etag)

const listTerminals = async (context: Context) => {
  const { fleet } = context.services
  const group = groupOf(context)
  const snapshot = await fleet.snapshot(context.tenantId)
  return new Direct(async (request, reply) => {
    const etag = etagOf(context.tenantId, group, snapshot.revision(group))
    reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'authorization, accept-encoding, x-tenant' })
    if (holds(request, etag)) return reply.code(304).send()
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const body = await fleet.bodies.get(etag, encoding, () => snapshot.body(group))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

const listTerminalDetails = async (context: Context) => ({
  data: await context.transaction((db) => listDetails(db, context.tenantId, { seesMetadata: context.can('metadata') })),
})

const openStream = (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Proxies that gather an answer before they pass it on would hold the events back.
    'x-accel-buffering': 'no',
  })
  request.raw.socket.setNoDelay(true)
  return reply.raw
}

const followTerminals = async (context: Context, { since }: { since?: string | undefined }) => {
  const { fleet } = context.services
  const snapshot = await fleet.snapshot(context.tenantId)
  return new Direct(async (request, reply) => {
    const lastEventId = request.headers['last-event-id']
    await fleet.live.follow({
      tenantId: context.tenantId,
      sessionId: context.person.sessionId,
      group: groupOf(context),
      snapshot,
      since: typeof lastEventId === 'string' ? lastEventId : since,
      response: openStream(request, reply),
    })
  })
}

export const fleetHandlers: Handlers<typeof terminals> = {
  list: listTerminals,
  details: listTerminalDetails,
  live: followTerminals,
}
