// Caches the page and its files, so that the app starts without a connection. Nothing else goes through the worker: no API
// call, no stream, no download. The page itself caches its data, per session; see src/response-cache.ts.
import type { CacheMessage } from '../src/cache-message.ts'

declare const self: ServiceWorkerGlobalScope

/** A cache for each build: pages and files of two builds never mix. */
const prefix = 'dishboard:shell:'
const ownCaches = ['dishboard:responses', 'dishboard:public']
/** Tabs that were opened before an update still load files of their build. */
const retainedBuilds = 3
/** A server that takes longer counts as unreachable. */
const responseTimeoutMs = 4000

/** Pages that the server renders, and the callback of single sign-on, which does not work offline. */
const notTheApp =
  /^\/(?:api|assets|brand|shared|status|outbox|unsubscribe|open|sso|metrics|healthz|readyz|\.well-known)(?:\/|$)|\.\w+$/

const isPage = ({ origin, pathname }: URL) => origin === location.origin && !notTheApp.test(pathname)

/** The page is the same at every path. On localhost its policy depends on the tenant, which the query names. */
const getPageKey = ({ searchParams }: URL) => `/?tenant=${encodeURIComponent(searchParams.get('tenant') ?? '')}`

const listBuilds = async () => (await caches.keys()).filter((name) => name.startsWith(prefix))

const findPage = async (key: string) => {
  for (const name of (await listBuilds()).reverse()) {
    const page = await (await caches.open(name)).match(key, { ignoreVary: true })
    if (page) return page
  }
  return undefined
}

const cacheFile = async (cache: Cache, path: string) => {
  // Other files may change under the same name.
  const known = path.startsWith('/assets/') ? await caches.match(path, { ignoreVary: true }) : undefined
  const file = known ?? (await fetch(path))
  if (!file.ok) throw new Error(`${path} is missing.`)
  await cache.put(path, file)
}

/** The page comes last, so that a cached page has all its files. */
const cachePage = async (url: URL, page: Response) => {
  const etag = page.headers.get('etag')
  if (page.status !== 200 || page.redirected || !etag) return
  const html = await page.clone().text()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  if (files.length === 0) return
  const cache = await caches.open(prefix + etag)
  await Promise.all(files.map((path) => cacheFile(cache, path)))
  await cache.put(getPageKey(url), page)
  // Users who are offline see a page that says so, with its drawing.
  await cacheFile(cache, '/brand/scenes.svg').catch(() => undefined)
  for (const name of (await listBuilds()).filter((each) => each !== prefix + etag).slice(0, 1 - retainedBuilds))
    await caches.delete(name)
}

const servePage = async (event: FetchEvent, url: URL) => {
  const loading = (async () => (await event.preloadResponse) ?? fetch(event.request))() as Promise<Response>
  const key = getPageKey(url)
  event.waitUntil(loading.then((page) => cachePage(url, page.clone())).catch(() => undefined))
  const stored = await findPage(key)
  if (!stored) return loading
  const waited = new Promise<Response>((resolve) => setTimeout(() => resolve(stored), responseTimeoutMs))
  // A proxy returns these when it cannot reach the server.
  const loaded = loading.then(
    (page) => ([502, 503, 504].includes(page.status) ? stored : page),
    () => stored,
  )
  return Promise.race([loaded, waited])
}

const serveFile = async ({ request }: FetchEvent) =>
  (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request)

/** Brand images may change under the same name. */
const servePicture = async ({ request }: FetchEvent) => {
  try {
    return await fetch(request)
  } catch (error) {
    const stored = await caches.match(new URL(request.url).pathname, { ignoreVary: true })
    if (stored) return stored
    throw error
  }
}

self.addEventListener('install', () => void self.skipWaiting())

const start = async () => {
  for (const name of await caches.keys())
    if (name.startsWith('dishboard:') && !name.startsWith(prefix) && !ownCaches.includes(name))
      await caches.delete(name)
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}
self.addEventListener('activate', (event) => event.waitUntil(start()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (isPage(url)) event.respondWith(servePage(event, url))
  } else if (url.pathname.startsWith('/assets/')) event.respondWith(serveFile(event))
  else if (url.pathname.startsWith('/brand/')) event.respondWith(servePicture(event))
})

// Serialized, because files belong to the page that was cached before them.
let caching = Promise.resolve()
const cacheRequested = async (message: CacheMessage) => {
  if ('page' in message) {
    const url = new URL(message.page)
    if (isPage(url)) await cachePage(url, await fetch(url.href))
    return
  }
  const newest = (await listBuilds()).at(-1)
  if (newest === undefined) return
  const cache = await caches.open(newest)
  await Promise.allSettled(message.files.map((path) => cacheFile(cache, path)))
}
self.addEventListener('message', (event) => {
  caching = caching.then(() => cacheRequested(event.data)).catch(() => undefined)
  event.waitUntil(caching)
})
