import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify'
import { api } from '#contract/api.ts'
import { negotiateEncoding } from './accept-encoding.ts'
import { openApiDocument } from './openapi.ts'

const compress = async (plain: Buffer) => ({
  plain,
  br: await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: await promisify(gzip)(plain),
})

/** Megabytes that few ask for: loaded and compressed once, with the first request. */
function lazyAsset(type: string, cacheControl: string, load: () => Promise<Buffer>): RouteHandlerMethod {
  let loaded: ReturnType<typeof compress> | undefined
  return async (request, reply) => {
    loaded ??= load().then(compress)
    const { plain, br, gzip } = await loaded
    const encoding = negotiateEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    reply.type(type).headers({ 'cache-control': cacheControl, vary: 'accept-encoding' })
    if (encoding === 'br' || encoding === 'gzip') reply.header('content-encoding', encoding)
    return reply.send(encoding === 'br' ? br : encoding === 'gzip' ? gzip : plain)
  }
}

/** Nothing on the page may call the internet: its own policy forbids what these switches already leave out. */
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
  // The page writes its styles into style elements.
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

const script = lazyAsset('text/javascript; charset=utf-8', 'public, max-age=86400', async () => {
  // The package hands its script out through a plugin only.
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: configuration.url } })
  const { rawPayload } = await app.inject('/reference/js/scalar.js')
  await app.close()
  return rawPayload
})

const document = lazyAsset('application/json; charset=utf-8', 'no-cache', async () =>
  Buffer.from(JSON.stringify(openApiDocument(api))),
)

/** The OpenAPI document of every call, and a page to read it with that works without the internet. */
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
