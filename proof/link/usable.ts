import type { BrowserContext, Page } from '@playwright/test'

const TIMEOUT_MS = 60_000
const LOOKED_AT_MS = 3_000
const TENANT = 'alpha'

export const formatAddress = (origin: string, path: string) => `${origin}${path}?tenant=${TENANT}`

/**
 * Measures in the page itself when a user would see it: Playwright first injects its own code into each page, which
 * takes longer than a search.
 */
const WATCH = `
  const seen = {}
  const list = 'ul[aria-label="Terminals"]'
  const recordPainted = (what) => {
    seen[what] = NaN
    requestAnimationFrame(() =>
      setTimeout(() => {
        seen[what] = performance.now()
        // From the start of the visit until rows are painted, and from typing until the result is painted.
        const usableMs = seen.rows + seen.found - seen.typed
        if (usableMs) document.documentElement.dataset.usableMs = usableMs
      }),
    )
  }
  addEventListener('input', () => (seen.typed = performance.now()), true)
  new MutationObserver(() => {
    if (seen.rows === undefined && document.querySelector(list + ' a')) recordPainted('rows')
    const isFound = seen.typed !== undefined && document.querySelector(list + ' li[aria-setsize="1"]')
    if (seen.found === undefined && isFound) recordPainted('found')
  }).observe(document, { childList: true, subtree: true, attributes: true })`

/** Opens the dashboard; returns the milliseconds until it is usable: rows are shown, and the search has found one. */
const openDashboard = async (page: Page, origin: string, name: string) => {
  await page.goto(formatAddress(origin, '/dashboard'), { waitUntil: 'commit', timeout: TIMEOUT_MS })
  await page.getByRole('list', { name: 'Terminals' }).getByRole('link').first().waitFor({ timeout: TIMEOUT_MS })
  await page.getByRole('searchbox').first().fill(name)
  const marker = page.locator('html[data-usable-ms]')
  await marker.waitFor({ state: 'attached', timeout: TIMEOUT_MS })
  return Number(await marker.getAttribute('data-usable-ms'))
}

/** The first visit of a browser, and a second one with its cache. */
export const measureVisits = async (context: BrowserContext, origin: string, name: string) => {
  const page = await context.newPage()
  await page.addInitScript({ content: WATCH })
  // The whole page is measured. Data saver would leave out the map on such a link.
  await page.addInitScript({ content: "if (location.protocol !== 'about:') localStorage.setItem('dataSaver', 'off')" })
  const coldMs = await openDashboard(page, origin, name)
  // Map and fonts are still loading; users stay on a page for a while.
  await page.locator('canvas.map-markers').waitFor({ timeout: TIMEOUT_MS })
  await page.waitForTimeout(LOOKED_AT_MS)
  await page.goto('about:blank')
  return { coldMs, warmMs: await openDashboard(page, origin, name) }
}
