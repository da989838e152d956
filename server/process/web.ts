import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { ApiError } from '#contract/errors.ts'
import type { Services } from '../platform/context.ts'
import { negotiateEncoding } from '../platform/http/accept-encoding.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { getPageConfiguration } from '../tenants/configuration.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { buildPagePolicy, buildTenantPagePolicy, hashInlineScripts } from './content-policy.ts'
import { registerServiceWorker, serviceWorkerFile } from './service-worker.ts'

const builtWeb = fileURLToPath(new URL('../../dist/web/', import.meta.url))

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** The page for every path that is neither a file nor an API call. The app in it routes to the screens. */
const readPage = async (root: string, { marketingUrl, offlinePages }: Services['config']) => {
  if (!existsSync(`${root}index.html`)) return undefined
  const built = await readFile(`${root}index.html`, 'utf8')
  const meta = `<meta name="dishboard:marketing-url" content="${escapeAttribute(marketingUrl)}">`
  const off = offlinePages ? '' : '<meta name="dishboard:offline-pages" content="off">'
  const html = built.replace('</head>', () => `${meta}${off}</head>`)
  // Not awaited, so that the server is ready sooner.
  const compressed = promisify(brotliCompress)(html)
  return { html, compressed, scripts: hashInlineScripts(html), digest: digest(html) }
}

const resolvePolicy = async ({ database, config }: Services, request: FastifyRequest, scripts: readonly string[]) => {
  const { tenant } = request.query as { tenant?: unknown }
  const named = typeof tenant === 'string' && tenant !== '' ? tenant : undefined
  const tenantId = await resolveTenant(database, parseTenantAddress(request.headers.host, named))
  if (tenantId === undefined) return buildPagePolicy(scripts)
  const settings = await getPageConfiguration(database, tenantId)
  return buildTenantPagePolicy(scripts, settings, config.mapTiles)
}

/** The page shows an error for a host without a portal; the status code reports it too. */
const getPageHead = async (services: Services, request: FastifyRequest, scripts: readonly string[]) => {
  try {
    return { status: 200, policy: await resolvePolicy(services, request, scripts) }
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, policy: buildPagePolicy(scripts) }
    request.log.warn({ err: error }, 'The tenant of a page could not be read; the page is sent with the common policy.')
    return { status: 200, policy: buildPagePolicy(scripts) }
  }
}

/** Scripts, styles and fonts need no document headers, and never change, so they need none for revalidation. */
const unneededHeaders = [
  'accept-ranges',
  'content-security-policy',
  'cross-origin-opener-policy',
  'etag',
  'last-modified',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/** Covers the page and its policy, and is the same for both encodings. */
const buildEtag = (pageDigest: string, policy: string) => `W/"${digest(pageDigest + policy)}"`

export const registerWeb = async (app: FastifyInstance, services: Services, root = builtWeb) => {
  const page = await readPage(root, services.config)
  if (page !== undefined) {
    await app.register(fastifyStatic, {
      root,
      index: false,
      wildcard: false,
      preCompressed: true,
      globIgnore: [`${serviceWorkerFile}*`],
      setHeaders: (reply, path) => {
        if (!path.includes('/assets/')) return
        // File names in assets/ contain a hash of their content.
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        for (const name of unneededHeaders) reply.removeHeader(name)
      },
    })
    registerServiceWorker(app, root, services.config.offlinePages)
  }
  app.setNotFoundHandler(async (request, reply) => {
    const pathname = request.url.split('?', 1)[0] as string
    const wantsPage =
      ['GET', 'HEAD'].includes(request.method) && !pathname.startsWith('/api') && !/\.\w+$/.test(pathname)
    if (!wantsPage || page === undefined) return reply.status(404).send(unknownRoute.body)
    const { status: pageStatus, policy } = await getPageHead(services, request, page.scripts)
    // Set by a route that found nothing. The app shows its own page for that.
    const status = reply.statusCode === 404 ? 404 : pageStatus
    const etag = buildEtag(page.digest, policy)
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
    if (status === 200 && fresh(request.headers, { etag })) return reply.status(304).send()
    const isCompressed = negotiateEncoding(request.headers['accept-encoding'], ['br']) === 'br'
    if (isCompressed) reply.header('content-encoding', 'br')
    return reply
      .status(status)
      .type('text/html; charset=utf-8')
      .send(isCompressed ? await page.compressed : page.html)
  })
}
