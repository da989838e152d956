import { randomUUID } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify'
import { api } from '#contract/api.ts'
import { ApiError } from '#contract/errors.ts'
import type { RouteTable } from '#contract/route.ts'
import { listScopes } from '#contract/scopes.ts'
import { getEffectivePermissions } from '../access/effective.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { authenticate } from '../identity/authenticate.ts'
import { readSession } from '../identity/read-session.ts'
import { checkTokenUse } from '../identity/token-uses.ts'
import { registerOutbox } from '../messages/outbox-page.ts'
import { registerSmsWebhook } from '../messages/sms-webhook.ts'
import { registerMailLinks } from '../notifications/mail-links.ts'
import { registerUnsubscribe } from '../notifications/unsubscribe.ts'
import type { Services } from '../platform/context.ts'
import { registerApiDocs } from '../platform/http/api-docs.ts'
import { registerErrorHandler } from '../platform/http/http-errors.ts'
import type { Authentication } from '../platform/http/identify-sender.ts'
import { registerJsonBodies } from '../platform/http/json-body.ts'
import { registerLoadShedding } from '../platform/http/load-shedding.ts'
import { type Handlers, mount } from '../platform/http/mount.ts'
import { registerRequestLog } from '../platform/http/request-log.ts'
import { registerSharedPages } from '../share-links/shared-page.ts'
import { registerBackchannelLogout } from '../single-sign-on/backchannel-logout.ts'
import { registerStatusPage } from '../status-page/status-page.ts'
import type { FeedMonitor } from '../telemetry/feed-monitor.ts'
import type { Spool } from '../telemetry/spool.ts'
import { registerBrandFiles } from '../tenants/brand-files.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { createHandlers } from './handlers.ts'
import type { Handover } from './handover.ts'
import { observeRequests, registerHealth } from './health.ts'
import { registerKnownHost } from './known-host.ts'
import { createMetrics } from './metrics.ts'
import { registerResponseHeaders } from './response-headers.ts'
import { registerSecurityTxt } from './security-txt.ts'
import { registerWeb } from './web.ts'

/** Some clients always add the prefix and request /api/api/verify-otp/. */
const withoutDoubledPrefix = (url: string | undefined) => (url ?? '/').replace(/^\/api\/api\//, '/api/')

/** A path that cannot be decoded is taken literally. The router would answer it without our headers, log and error format. */
const toReadablePath = (url: string) => {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split(/(?=[?#])/)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('')
  }
}

export const authentication: Authentication = {
  resolveTenant,
  authenticate,
  checkTokenUse,
  readSession,
  toPermissions: getEffectivePermissions,
}

/** Unless the contract sets another limit for a call. */
const MAX_BODY_BYTES = 16 * 1024

/** A few compressed bytes can expand to a body of any size, and no client needs compression. */
const refuseCompressedBody = ({ headers }: FastifyRequest) => {
  if (!['', 'identity'].includes(headers['content-encoding'] ?? ''))
    throw new ApiError(415, 'unsupported', 'Please send the request without compression.')
}

/** Of several, a proxy may have chosen another one, and then caches the response for the wrong tenant. */
const refuseSeveralHosts = ({ raw: { rawHeaders } }: FastifyRequest) => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  if (hosts > 1) throw new ApiError(400, 'invalid', 'The request names several hosts.')
}

export interface AppServices extends Services {
  fleet: Fleet
  /** Set in a process that runs background work. */
  spool?: Spool | undefined
  monitor?: FeedMonitor | undefined
  /** Aborted when the process starts to stop. It keeps serving until the proxy has noticed. */
  stopping?: AbortSignal
  /** Aborted when the process has closed its port. Connections that are open then are still served. */
  closing?: AbortSignal
}

/** The HTTP server, independent of the process that runs it. */
export const createApp = async (
  services: AppServices,
  logger: FastifyBaseLogger,
  { maxEventLoopDelayMs = 2_000, handover }: { maxEventLoopDelayMs?: number; handover?: Handover } = {},
) => {
  const app = Fastify({
    loggerInstance: logger,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: services.config.trustedProxies.length > 0 ? services.config.trustedProxies : false,
    rewriteUrl: (request) => toReadablePath(withoutDoubledPrefix(request.url)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Clients that trickle bytes must not hold a connection forever.
    http: { maxHeaderSize: 8 * 1024, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    // Not under `http`: Fastify overrides Node's value with its own.
    requestTimeout: 10_000,
    // Nor may clients that do not read their response. The live stream sends something every 15 seconds.
    connectionTimeout: 120_000,
    // Requests in flight finish; see `run`.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // Fastify would also parse plain text, which no call accepts. Without a parser it is refused before it is read.
  app.removeContentTypeParser('text/plain')
  registerErrorHandler(app)
  registerRequestLog(app)
  registerJsonBodies(app)
  await registerResponseHeaders(app)
  handover?.register(app)
  app.addHook('onRequest', async (request) => {
    refuseSeveralHosts(request)
    refuseCompressedBody(request)
  })
  app.addHook('onSend', async (_request, reply) => {
    // The proxy routes the next request to another process. While the port is open, it could open another connection here.
    if (services.closing?.aborted) reply.header('connection', 'close')
  })
  await registerLoadShedding(app, services.database, { maxEventLoopDelayMs })
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip', 'identity'],
    globalDecompression: false,
  })
  const metrics = createMetrics(services, services.spool ? 'serve,work' : 'serve')
  observeRequests(app, metrics)
  registerHealth(app, services, metrics)
  if (services.config.apiDocs) registerApiDocs(app)
  registerSecurityTxt(app, services)
  registerKnownHost(app, services)
  const handlers = createHandlers(services.fleet)
  for (const [name, table] of Object.entries(api) as [keyof typeof api, RouteTable][])
    mount(
      app,
      { services, ...authentication, listScopes: (call, route) => listScopes(name, call, route) },
      table,
      handlers[name] as unknown as Handlers<RouteTable>,
    )
  registerOutbox(app, services)
  await registerSmsWebhook(app, services)
  await registerUnsubscribe(app, services)
  registerMailLinks(app, services)
  await registerBackchannelLogout(app, services)
  await registerSharedPages(app, services)
  registerStatusPage(app, services)
  registerBrandFiles(app, services)
  await registerWeb(app, services)
  return app
}
