import type { Browser } from '@playwright/test'
import { COLD_LIMIT_KIB } from '#server/testing/cold-limit.ts'
import { withDatabase } from '../database.ts'
import type { Figure } from '../figures.ts'
import { type FleetStack, openFleetStack } from '../fleet-stack.ts'
import { launch, newPage } from './pages.ts'

const LIST = '/api/terminals/'

/** The size of each response that a cold page loads, and of the list when the page reloads. */
const loadDashboard = async (browser: Browser, url: string, tokens: { access: string; refresh: string }) => {
  // The page does not see what its service worker receives for it.
  const page = await newPage(browser, tokens, { serviceWorkers: 'block' })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const paths = new Map<string, string>()
  let responses: { path: string; bytes: number }[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
    responses.push({ path: paths.get(requestId) ?? '?', bytes }),
  )
  await page.goto(url)
  await page.waitForSelector('ul[aria-label="Terminals"] a')
  await page.waitForSelector('canvas.map-markers')
  await page.waitForLoadState('load')
  // Fonts and map outlines load last. Waiting for an idle network is not possible, because the live stream never ends.
  await page.waitForTimeout(4000)
  const cold = responses
  responses = []
  await page.reload()
  await page.waitForSelector('ul[aria-label="Terminals"] a')
  await page.waitForTimeout(2000)
  await page.context().close()
  return { cold, refreshBytes: responses.find(({ path }) => path === LIST)?.bytes ?? Number.POSITIVE_INFINITY }
}

export const measureTransfer = async (stack: FleetStack): Promise<Figure[]> => {
  await stack.addFleet('fleet2000', 2_000)
  const tokens = await stack.signIn('fleet2000')
  const browser = await launch()
  const measuring = loadDashboard(browser, `${stack.url}/dashboard?tenant=fleet2000`, tokens)
  const { cold, refreshBytes } = await measuring.finally(() => browser.close())
  for (const { path, bytes } of cold.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`${bytes.toLocaleString('en-US').padStart(9)} bytes  ${path}`)
  const coldBytes = cold.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    { name: 'cold /dashboard with 2,000 terminals', value: coldBytes / 1024, unit: 'KiB', atMost: COLD_LIMIT_KIB },
    { name: 'the list alone', value: (cold.find(({ path }) => path === LIST)?.bytes ?? 0) / 1024, unit: 'KiB' },
    { name: 'the unchanged list, revalidated', value: refreshBytes, unit: 'bytes', atMost: 1024 },
  ]
}

/** The bytes that a cold dashboard loads, per response. */
export const measureBytes = () =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    return measureTransfer(stack).finally(stack.close)
  })
