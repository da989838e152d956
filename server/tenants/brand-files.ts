import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../platform/context.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { resolveTenant } from './resolve.ts'

const TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
}

const ADDRESS = /^\/brand\/(?:([a-z0-9][a-z0-9_-]*)\/)?([\w-][\w.-]*)$/

/** The web app's images, for tenants without their own. */
const builtIn = fileURLToPath(new URL('../../dist/web/brand/', import.meta.url))

const readIfExists = (path: string) => readFile(path).catch(() => undefined)

/** A brand image by its path on our pages. */
export const findBrandFile = async (brandDir: string, address: string): Promise<Buffer | undefined> => {
  const [, tenantId = '', file] = ADDRESS.exec(address) ?? []
  if (file === undefined || !TYPES[extname(file).toLowerCase()]) return undefined
  const own = tenantId === '' ? undefined : await readIfExists(join(brandDir, tenantId, file))
  return own ?? readIfExists(join(builtIn, tenantId, file))
}

// An SVG opened on its own is a document, which could run scripts.
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Serves each tenant's image folder. The host of one tenant does not serve those of another. */
export const registerBrandFiles = (app: FastifyInstance, { config, database }: Services) => {
  app.get<{ Params: { tenant: string; file: string } }>('/brand/:tenant/:file', async (request, reply) => {
    const { tenant, file } = request.params
    const hostTenant = await resolveTenant(database, parseTenantAddress(request.headers.host, tenant))
    const content = hostTenant === tenant ? await findBrandFile(config.brandDir, `/brand/${tenant}/${file}`) : undefined
    if (!content) throw unknownRoute
    return reply
      .headers({ 'content-security-policy': CONTENT_POLICY, 'cache-control': 'public, max-age=3600' })
      .type(TYPES[extname(file).toLowerCase()] as string)
      .send(content)
  })
}
