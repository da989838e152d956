import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { negotiateEncoding } from './accept-encoding.ts'
import { openApiDocument } from './openapi.ts'

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

/** The package hands its script out through a plugin only, and holds 4 MB: it is loaded with the first request of the page. */
const loadScript = async () => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: configuration.url } })
  const { rawPayload } = await app.inject('/reference/js/scalar.js')
  await app.close()
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  return { plain: rawPayload, brotli: await promisify(brotliCompress)(rawPayload, { params: quality }) }
}

/** The OpenAPI document of every call, and a page to read it with that works without the internet. */
export const registerApiDocs = async (app: FastifyInstance) => {
  const document = JSON.stringify(openApiDocument(api))
  let script: ReturnType<typeof loadScript> | undefined
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  app.get('/api/docs', async (_request, reply) =>
    reply.header('content-security-policy', contentPolicy).type('text/html; charset=utf-8').send(page),
  )
  app.get('/api/docs/scalar.js', async (request, reply) => {
    script ??= loadScript()
    const { plain, brotli } = await script
    const takesBrotli = negotiateEncoding(request.headers['accept-encoding'], ['br']) === 'br'
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .header('vary', 'accept-encoding')
    return takesBrotli ? reply.header('content-encoding', 'br').send(brotli) : reply.send(plain)
  })
}
