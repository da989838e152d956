import { createHash } from 'node:crypto'
import type { MapTiles } from '#contract/tenants.ts'
import type { TenantConfiguration } from '../tenants/configuration.ts'

/** Our pages may load our own files, and images from tile servers and from the URLs that tenants configure. */
const base: Record<string, string[]> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  // Mantine injects its color variables in style elements.
  'style-src': ["'self'", "'unsafe-inline'"],
  // Tenants configure the URLs of map tiles and of their own images.
  'img-src': ["'self'", 'data:', 'blob:', 'https:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

const render = (policy: Record<string, string[]>) =>
  Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')

/** The default policy of every response. */
export const contentPolicy = render(base)

/** The hashes by which the policy of a page allows its inline scripts. */
export const hashInlineScripts = (page: string) =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script as string)
        .digest('base64')}'`,
  )

const withScripts = (own: readonly string[]) => ({ ...base, 'script-src': [...(base['script-src'] ?? []), ...own] })

/** The policy of a page without a tenant. */
export const buildPagePolicy = (ownScripts: readonly string[]) => render(withScripts(ownScripts))

const toOrigins = (address: string): string[] => {
  const url = URL.parse(address)
  const isLoopback = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return url && (url.protocol === 'https:' || isLoopback) ? [url.origin] : []
}

/** Only scripts that the tenant has switched on; naming one is not enough. */
const widgetScripts = ({ chatbotEnabled, chatbot_script, ticket, freshdesk_script }: TenantConfiguration['config']) => [
  ...(chatbotEnabled && chatbot_script ? [chatbot_script] : []),
  ...(ticket === 'freshdesk' && freshdesk_script ? [freshdesk_script] : []),
]

/** Images may already come from any https URL, but a tile server in the operator's own network may not have https. */
const plainTileOrigins = ({ light, dark }: MapTiles) => {
  const origins = [light, dark].flatMap((address) => URL.parse(address ?? '')?.origin ?? [])
  return [...new Set(origins)].filter((origin) => origin.startsWith('http:'))
}

/** The policy of a tenant's pages. Looser than the default only for its map tiles and the widgets it has switched on. */
export const buildTenantPagePolicy = (
  ownScripts: readonly string[],
  { config, widgetOrigins }: TenantConfiguration,
  commonTiles: MapTiles,
) => {
  const scripts = widgetScripts(config).flatMap(toOrigins)
  const tiles = plainTileOrigins({ ...commonTiles, ...config.mapTiles })
  const widened: Record<string, string[]> = {
    ...withScripts(ownScripts),
    'img-src': [...(base['img-src'] ?? []), ...tiles],
  }
  if (scripts.length === 0) return render(widened)
  const others = widgetOrigins.flatMap(toOrigins)
  widened['frame-src'] = ["'self'"]
  for (const name of ['script-src', 'style-src', 'font-src', 'connect-src', 'frame-src']) {
    const origins = name === 'script-src' ? scripts : [...scripts, ...others]
    widened[name] = [...(widened[name] ?? []), ...new Set(origins)]
  }
  return render(widened)
}
