import type { KeepMessage } from './keep-message.ts'
import { keepsOfflinePages } from './response-cache.ts'
import { onTokensChange, tokens } from './tokens.ts'

/** A file of the build, or a picture of the brand. */
const cacheable = /^\/(?:assets|brand)\//

/** Lets a service worker keep the page and the files that it has loaded, once someone is signed in. */
export function keepShell() {
  const { serviceWorker } = navigator
  // Browsers offer it on secure origins only.
  if (!import.meta.env.PROD || !serviceWorker || !keepsOfflinePages()) return
  let isStarted = false
  const start = () => {
    if (isStarted || !tokens.access) return
    isStarted = true
    startKeeping(serviceWorker).catch((error) =>
      console.warn('This page is not kept for use without a connection:', error),
    )
  }
  onTokensChange(start)
  // The page itself comes first on a slow link.
  if (document.readyState === 'complete') start()
  else addEventListener('load', start)
}

async function startKeeping(serviceWorker: ServiceWorkerContainer) {
  // A page that the worker has served is kept.
  const isCached = serviceWorker.controller !== null
  await serviceWorker.register('/worker.js', { updateViaCache: 'none' })
  const { active } = await serviceWorker.ready
  const send = (message: KeepMessage) => (serviceWorker.controller ?? active)?.postMessage(message)
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
