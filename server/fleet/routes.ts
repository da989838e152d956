import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import type { fleetMetrics } from '#contract/fleet-metrics.ts'
import type { RouteInput } from '#contract/route.ts'
import type { terminals } from '#contract/terminals.ts'
import type { Context } from '../platform/context.ts'
import { negotiateEncoding } from '../platform/http/accept-encoding.ts'
import { chooseEncoding } from '../platform/http/large-body.ts'
import { type Handlers, RawResponse } from '../platform/http/mount.ts'
import type { Fleet } from './fleet.ts'
import type { View } from './fragments.ts'
import { formatMetrics, METRICS_TYPE } from './metrics-text.ts'

const getView = ({ scope, can }: Context, details: boolean): View => ({
  group: scope.group,
  details,
  metadata: details && can('metadata'),
})

// Keyed by everything that determines the response. Hashed, because a group name may contain characters that are invalid in
// a header.
const hashView = (tenantId: string, { group, details, metadata }: View) =>
  createHash('sha256')
    .update(JSON.stringify([tenantId, group ?? null, details, metadata]))
    .digest('base64url')
    .slice(0, 16)

/** The lists of the past. Telemetry imports this capability, so functions that read its tables are passed in. */
export interface PastLists {
  /**
   * Changes whenever the lists of this time, or the lines that the user may see, change. Throws if nothing is known about
   * the time.
   */
  findRevision: (context: Context, at: Date) => Promise<string>
  read: (
    context: Context,
    list: { at: Date; revision: string; view: View },
  ) => Promise<{ lineCount: number; body: Buffer }>
}

const CACHING = { 'cache-control': 'private, no-cache', vary: 'authorization, accept-encoding, x-tenant' }

const sendPastList = async (fleet: Fleet, past: PastLists, context: Context, at: Date, details: boolean) => {
  const view = getView(context, details)
  const revision = await past.findRevision(context, at)
  const key = `${hashView(context.tenantId, view)}.${revision}`
  const etag = `W/"${key}"`
  return new RawResponse(async (request, reply) => {
    reply.headers({ etag, ...CACHING })
    if (fresh(request.headers, { etag })) return reply.code(304).send()
    const { lineCount, body } = await past.read(context, { at, revision, view })
    const encoding = chooseEncoding(request.headers['accept-encoding'], lineCount)
    const packed = await fleet.bodies.get(key, etag, encoding, () => body)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(packed)
  })
}

const sendList = async (fleet: Fleet, context: Context, details: boolean) => {
  const view = getView(context, details)
  const key = hashView(context.tenantId, view)
  const snapshot = await fleet.snapshot(context.tenantId)
  return new RawResponse(async (request, reply) => {
    const etag = `W/"${key}.${snapshot.revision(view)}"`
    reply.headers({ etag, ...CACHING })
    if (fresh(request.headers, { etag })) return reply.code(304).send()
    const encoding = chooseEncoding(request.headers['accept-encoding'], snapshot.lineCount())
    const body = await fleet.bodies.get(key, etag, encoding, () => snapshot.body(view))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

/** Built once per revision and view, however many clients scrape it. */
const sendMetrics = async (fleet: Fleet, context: Context) => {
  const view = { ...getView(context, true), metadata: false }
  const key = `metrics ${hashView(context.tenantId, view)}`
  const snapshot = await fleet.snapshot(context.tenantId)
  return new RawResponse(async (request, reply) => {
    const encoding = negotiateEncoding(request.headers['accept-encoding'], ['gzip'])
    const body = await fleet.bodies.get(key, snapshot.revision(view), encoding, () =>
      Buffer.from(formatMetrics(JSON.parse(snapshot.body(view).toString()).data)),
    )
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type(METRICS_TYPE).headers({ 'cache-control': 'no-store', vary: 'accept-encoding' }).send(body)
  })
}

/** A wall display shows no details, and its session may not read any. */
const isWall = ({ user: { token } }: Context) => token !== undefined && !token.scopes.includes('terminals:read')

const openStream = (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Proxies must not buffer the events.
    'x-accel-buffering': 'no',
  })
  request.raw.socket.setNoDelay(true)
  return reply.raw
}

const streamTerminals = async (
  fleet: Fleet,
  context: Context,
  { since, details }: RouteInput<typeof terminals.live>,
) => {
  const snapshot = await fleet.snapshot(context.tenantId)
  return new RawResponse(async (request, reply) => {
    const lastEventId = request.headers['last-event-id']
    await fleet.live.subscribe({
      tenantId: context.tenantId,
      senderId: context.user.token?.id ?? (context.user.sessionId as string),
      view: getView(context, details === true && !isWall(context)),
      snapshot,
      since: typeof lastEventId === 'string' ? lastEventId : since,
      response: openStream(request, reply),
    })
  })
}

export const createFleetMetricsHandlers = (fleet: Fleet): Handlers<typeof fleetMetrics> => ({
  scrape: (context) => sendMetrics(fleet, context),
})

export const createFleetHandlers = (fleet: Fleet, past: PastLists): Handlers<typeof terminals> => ({
  list: async (context, { at }) =>
    at ? sendPastList(fleet, past, context, at, false) : sendList(fleet, context, false),
  details: async (context, { at }) =>
    at ? sendPastList(fleet, past, context, at, true) : sendList(fleet, context, true),
  live: (context, input) => streamTerminals(fleet, context, input),
})
