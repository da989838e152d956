import type { BrowserContext, Page } from '@playwright/test'

const PATIENCE_MS = 60_000
const LOOKED_AT_MS = 3_000
const TENANT = 'alpha'

export const addressOf = (origin: string, path: string) => `${origin}${path}?tenant=${TENANT}`

/** Opens the dashboard, and answers after how many milliseconds it could be worked with: rows are there, and the search has found one. */
const openDashboard = async (page: Page, origin: string, name: string) => {
  const startMs = performance.now()
  await page.goto(addressOf(origin, '/dashboard'), { waitUntil: 'commit', timeout: PATIENCE_MS })
  await page.getByRole('list', { name: 'Terminals' }).getByRole('link').first().waitFor({ timeout: PATIENCE_MS })
  await page.getByRole('searchbox').first().fill(name)
  await page.locator('ul[aria-label="Terminals"] li[aria-setsize="1"]').waitFor({ timeout: PATIENCE_MS })
  return performance.now() - startMs
}

/** The first visit of a browser, and one soon after: the page is opened anew with what the browser has kept. */
export const measureVisits = async (context: BrowserContext, origin: string, name: string) => {
  const page = await context.newPage()
  const coldMs = await openDashboard(page, origin, name)
  // The map and the fonts are still on their way; people look at a page before they leave it.
  await page.locator('canvas.map-markers').waitFor({ timeout: PATIENCE_MS })
  await page.waitForTimeout(LOOKED_AT_MS)
  await page.goto('about:blank')
  return { coldMs, warmMs: await openDashboard(page, origin, name) }
}
