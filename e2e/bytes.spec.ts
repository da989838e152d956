import { COLD_LIMIT_KIB } from '#server/testing/cold-limit.ts'
import { expect, test } from './app.ts'

/** TCP's initial window: ten packets before the first acknowledgment. */
const firstFlight = 10 * 1400
const list = '/api/terminals/'
/** Size of the list of 2,000 terminals; see `npm run bench -- bytes`. */
const largeListBytes = 48 * 1024

test('a cold dashboard is a small download, and an unchanged list costs almost nothing', async ({ app, page }) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const paths = new Map<string, string>()
  const received = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    received.set(paths.get(requestId) ?? '?', encodedDataLength),
  )
  await app.openDashboard()
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
  await expect.poll(() => [...received.keys()].some((path) => path.includes('/outlines-'))).toBe(true)
  await page.evaluate(() => document.fonts.ready)
  expect(received.get('/dashboard')).toBeLessThanOrEqual(firstFlight)
  const others = [...received].filter(([path]) => path !== list)
  const bytes = others.reduce((sum, [, size]) => sum + size, 0)
  expect(bytes + largeListBytes, JSON.stringify(others)).toBeLessThanOrEqual(COLD_LIMIT_KIB * 1024)

  // The terminals of this tenant rarely change. If another test has just changed one, the next reload finds the list unchanged.
  await app.openDashboard('known')
  await expect(async () => {
    received.clear()
    await page.reload()
    await expect.poll(() => received.has(list)).toBe(true)
    expect(received.get(list)).toBeLessThanOrEqual(1024)
  }).toPass()
})
