import type { Browser } from '@playwright/test'
import { withDatabase } from '../database.ts'
import type { Figure } from '../figures.ts'
import { type FleetStack, openFleetStack } from '../fleet-stack.ts'
import { launch, newPage } from './pages.ts'

const LIST = '/api/terminals/'

/** Every answer that a cold page takes from the server with its bytes, and those of its list when it asks again. */
const loadDashboard = async (browser: Browser, url: string, tokens: { access: string; refresh: string }) => {
  const page = await newPage(browser, tokens)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const paths = new Map<string, string>()
  let answers: { path: string; bytes: number }[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
    answers.push({ path: paths.get(requestId) ?? '?', bytes }),
  )
  await page.goto(url)
  await page.waitForSelector('ul[aria-label="Terminals"] a')
  await page.waitForSelector('canvas.map-markers')
  await page.waitForLoadState('load')
  // Fonts and outlines come last, and the stream never ends.
  await page.waitForTimeout(4000)
  const cold = answers
  answers = []
  await page.reload()
  await page.waitForSelector('ul[aria-label="Terminals"] a')
  await page.waitForTimeout(2000)
  await page.context().close()
  return { cold, refreshBytes: answers.find(({ path }) => path === LIST)?.bytes ?? Number.POSITIVE_INFINITY }
}

export const measureBytes = async (stack: FleetStack): Promise<Figure[]> => {
  await stack.addFleet('fleet2000', 2_000)
  const tokens = await stack.signIn('fleet2000')
  const browser = await launch()
  const measuring = loadDashboard(browser, `${stack.url}/dashboard?tenant=fleet2000`, tokens)
  const { cold, refreshBytes } = await measuring.finally(() => browser.close())
  for (const { path, bytes } of cold.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`${bytes.toLocaleString('en-US').padStart(9)} bytes  ${path}`)
  const coldBytes = cold.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    { name: 'cold /dashboard with 2,000 terminals', value: coldBytes / 1024, unit: 'KiB', atMost: 350 },
    { name: 'of it the list', value: (cold.find(({ path }) => path === LIST)?.bytes ?? 0) / 1024, unit: 'KiB' },
    { name: 'the list asked for again, unchanged', value: refreshBytes, unit: 'bytes', atMost: 1024 },
  ]
}

/** What a cold dashboard takes over the line, answer by answer. */
export const bytesFigures = () =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    return measureBytes(stack).finally(stack.close)
  })
