import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify'
import { api } from '#contract/api.ts'
import { ApiError } from '#contract/errors.ts'
import { negotiateEncoding } from './accept-encoding.ts'
import { openApiDocument } from './openapi.ts'

const compress = async (identity: Buffer) => ({
  identity,
  br: await promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: await promisify(gzip)(identity),
})

interface Asset {
  type: string
  cacheControl: string
  /** At this size, each uncompressed response would cost milliseconds. Every browser accepts compression. */
  isOnlyCompressed?: boolean
  load: () => Promise<Buffer>
}

/** Megabytes that are seldom requested: loaded and compressed once, on the first request. */
function lazyAsset({ type, cacheControl, isOnlyCompressed = false, load }: Asset): RouteHandlerMethod {
  let loaded: ReturnType<typeof compress> | undefined
  return async (request, reply) => {
    // By the HTTP standard, a client without this header accepts every encoding.
    const accepted = request.headers['accept-encoding'] ?? (isOnlyCompressed ? 'gzip' : undefined)
    const encoding = negotiateEncoding(accepted, ['br', 'gzip']) as 'br' | 'gzip' | 'identity'
    if (encoding === 'identity' && isOnlyCompressed)
      throw new ApiError(406, 'not_acceptable', 'This file is sent compressed, with gzip or br.')
    loaded ??= load().then(compress)
    reply.type(type).headers({ 'cache-control': cacheControl, vary: 'accept-encoding' })
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send((await loaded)[encoding])
  }
}

/** The page must not call the internet: its own policy forbids it, and these switches remove the features that would. */
const configuration = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  operationTitleSource: 'path',
  authentication: { preferredSecurityScheme: 'bearer' },
}

const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The page injects its styles in style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')

// The script reads its settings from this element, so the page needs no inline script.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Dishboard API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <script id="api-reference" data-configuration='${escapeAttribute(JSON.stringify(configuration))}'></script>
    <script src="/api/docs/scalar.js"></script>
  </body>
</html>
`

/** The package exposes its script only through a plugin. */
const loadScript = async () => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: configuration.url } })
  const { rawPayload } = await app.inject('/reference/js/scalar.js')
  await app.close()
  return rawPayload
}

const script = lazyAsset({
  type: 'text/javascript; charset=utf-8',
  cacheControl: 'public, max-age=86400',
  isOnlyCompressed: true,
  load: loadScript,
})

const document = lazyAsset({
  type: 'application/json; charset=utf-8',
  cacheControl: 'no-cache',
  load: async () => Buffer.from(JSON.stringify(openApiDocument(api))),
})

/** Serves the OpenAPI document of every call, and a page to read it that works without the internet. */
export const registerApiDocs = (app: FastifyInstance) => {
  const config = { isNeverShed: true }
  app.get('/api/openapi.json', { config }, document)
  app.get('/api/docs', { config }, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': contentPolicy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page),
  )
  app.get('/api/docs/scalar.js', { config }, script)
}
