import type { CacheMessage } from './cache-message.ts'
import { areOfflinePagesEnabled } from './response-cache.ts'
import { onTokensChange, tokens } from './tokens.ts'

/** A file of the build, or an image of the brand. */
const cacheable = /^\/(?:assets|brand)\//

/** Lets a service worker cache the page and the files that it has loaded, once a user is signed in. */
export function cacheShell() {
  const { serviceWorker } = navigator
  // Browsers offer service workers on secure origins only.
  if (!import.meta.env.PROD || !serviceWorker || !areOfflinePagesEnabled()) return
  let isStarted = false
  const start = () => {
    if (isStarted || !tokens.access) return
    isStarted = true
    startWorker(serviceWorker).catch((error) =>
      console.warn('This page is not cached for use without a connection:', error),
    )
  }
  onTokensChange(start)
  // On a slow link, the page itself has priority.
  if (document.readyState === 'complete') start()
  else addEventListener('load', start)
}

async function startWorker(serviceWorker: ServiceWorkerContainer) {
  // A page that the worker served is already in its cache.
  const isCached = serviceWorker.controller !== null
  await serviceWorker.register('/worker.js', { updateViaCache: 'none' })
  const { active } = await serviceWorker.ready
  const send = (message: CacheMessage) => (serviceWorker.controller ?? active)?.postMessage(message)
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation && !isCached) send({ page: navigation.name })
  new PerformanceObserver((list) => {
    const files = list
      .getEntries()
      .map(({ name }) => new URL(name, location.href))
      .filter(({ origin, pathname }) => origin === location.origin && cacheable.test(pathname))
    if (files.length > 0) send({ files: files.map(({ pathname }) => pathname) })
  }).observe({ type: 'resource', buffered: true })
}
