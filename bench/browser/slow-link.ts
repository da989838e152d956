import type { Browser } from '@playwright/test'
import { withDatabase } from '../database.ts'
import type { Figure } from '../figures.ts'
import { type FleetStack, openFleetStack } from '../fleet-stack.ts'
import { findMedian } from '../median.ts'
import { launch, newPage } from './pages.ts'

const KBIT_PER_S = 400
const ROUND_TRIP_MS = 600
const ROUNDS = 3

const slowLink = {
  offline: false,
  latency: ROUND_TRIP_MS,
  downloadThroughput: (KBIT_PER_S * 1000) / 8,
  uploadThroughput: (KBIT_PER_S * 1000) / 8,
}

/** Milliseconds from the navigation until a cold browser shows the first text, and the first terminal. */
const openDashboard = async (browser: Browser, url: string, tokens: { access: string; refresh: string }) => {
  const page = await newPage(browser, tokens)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowLink)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('ul[aria-label="Terminals"] a')
  const firstRowMs = await page.evaluate(() => performance.now())
  const firstContentMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  const isSaving = await page.getByText('Data saver is on').first().isVisible()
  await page.context().close()
  return { firstContentMs, firstRowMs, isSaving }
}

const measureOnLink = async (stack: FleetStack): Promise<Figure[]> => {
  await stack.addFleet('fleet60', 60)
  const tokens = await stack.signIn('fleet60')
  const browser = await launch()
  try {
    const visits = []
    for (let round = 0; round < ROUNDS; round++)
      visits.push(await openDashboard(browser, `${stack.url}/dashboard?tenant=fleet60`, tokens))
    const link = `at ${KBIT_PER_S} kbit/s and ${ROUND_TRIP_MS} ms`
    return [
      {
        name: `first content of a cold dashboard ${link}`,
        value: findMedian(visits.map(({ firstContentMs }) => firstContentMs)),
        unit: 'ms',
        atMost: 2500,
      },
      { name: 'first terminal', value: findMedian(visits.map(({ firstRowMs }) => firstRowMs)), unit: 'ms' },
      {
        name: 'visits with data saver on',
        value: visits.filter(({ isSaving }) => isSaving).length,
        unit: `of ${ROUNDS}`,
      },
    ]
  } finally {
    await browser.close()
  }
}

/** When a cold dashboard shows something on a link like that of a vessel, as emulated by Chromium. */
export const measureSlowLink = () =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    return measureOnLink(stack).finally(stack.close)
  })
