import { createHash } from 'node:crypto'
import type { MapTiles } from '#contract/tenants.ts'
import type { TenantSettings } from '../tenants/settings.ts'

/** What our pages may load: our own files, and pictures from where tile servers and tenants have them. */
const base: Record<string, string[]> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  // Mantine writes its colour variables into style elements.
  'style-src': ["'self'", "'unsafe-inline'"],
  // Map tiles and a tenant's own pictures come from where the tenant says.
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

/** The policy of every answer that says nothing else. */
export const contentPolicy = render(base)

/** The inline scripts of a page, as its policy allows them: by their hash, and by nothing else. */
export const hashInlineScripts = (page: string) =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script as string)
        .digest('base64')}'`,
  )

const withScripts = (own: readonly string[]) => ({ ...base, 'script-src': [...(base['script-src'] ?? []), ...own] })

/** The policy of a page that no tenant is known for. */
export const buildPagePolicy = (ownScripts: readonly string[]) => render(withScripts(ownScripts))

const toOrigins = (address: string): string[] => {
  const url = URL.parse(address)
  const isLoopback = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return url && (url.protocol === 'https:' || isLoopback) ? [url.origin] : []
}

/** The scripts of its own that a tenant has switched on; nothing else of what it names counts. */
const widgetScripts = ({ chatbotEnabled, chatbot_script, ticket, freshdesk_script }: TenantSettings['config']) => [
  ...(chatbotEnabled && chatbot_script ? [chatbot_script] : []),
  ...(ticket === 'freshdesk' && freshdesk_script ? [freshdesk_script] : []),
]

/** Pictures may come from any https address already; a tile server in the operator's own network may have none. */
const plainTileOrigins = ({ light, dark }: MapTiles) => {
  const origins = [light, dark].flatMap((address) => URL.parse(address ?? '')?.origin ?? [])
  return [...new Set(origins)].filter((origin) => origin.startsWith('http:'))
}

/** The policy of a tenant's pages: looser than ours only for its map tiles and for the widgets it has switched on. */
export const buildTenantPagePolicy = (
  ownScripts: readonly string[],
  { config, widgetOrigins }: TenantSettings,
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
