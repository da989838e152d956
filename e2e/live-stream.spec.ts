import type { BrowserContext, Request } from '@playwright/test'
import { expect, test } from './app.ts'
import { callKnownTenant, findTableRow, openTable, setMetadata1 } from './known-tenant.ts'

const renameTo = (nickname: string, customname: string | null) =>
  callKnownTenant('PATCH', `/update-service-line-custom-name/${encodeURIComponent(nickname)}/`, { customname })

/** Counts the event streams that the pages of a browser open. */
function countStreams(context: BrowserContext) {
  const streams = { opened: 0, open: 0 }
  const isStream = (url: string) => new URL(url).pathname === '/api/live/'
  context.on('request', (request) => {
    if (!isStream(request.url())) return
    streams.opened++
    streams.open++
  })
  const close = (request: Request) => {
    if (isStream(request.url())) streams.open--
  }
  context.on('requestfinished', close)
  context.on('requestfailed', close)
  return streams
}

test('one event stream serves all tabs of a browser, and another tab takes over when its tab is closed', async ({
  app,
  page,
  context,
}) => {
  const streams = countStreams(context)
  await app.openDashboard('known')
  await page.getByRole('searchbox').fill('renamed')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByText('Live', { exact: true })).toBeVisible()
  expect(streams).toEqual({ opened: 1, open: 1 })
  await renameTo('Renamed Post', 'Renamed Once')
  for (const tab of [page, other]) await expect(tab.getByText('Renamed Once')).toBeVisible()
  await page.close()
  await renameTo('Renamed Post', 'Renamed Twice')
  await expect(other.getByText('Renamed Twice')).toBeVisible()
  expect(streams.opened).toBe(2)
  await renameTo('Renamed Post', null)
})

test('a change shows without a reload, is highlighted, and does not reorder rows under the pointer', {
  tag: '@core',
}, async ({ app, page }) => {
  await openTable(app)
  await page.getByRole('searchbox').fill('post')
  await page.getByRole('columnheader', { name: 'Metadata 1' }).getByRole('button').click()
  const names = page.getByRole('rowheader')
  const row = findTableRow(page, 'Timed Post')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await page.mouse.move(5, 5)
  await setMetadata1('Timed Post', 'aa first')
  await expect(names.first()).toHaveText('Timed Post')
  await names.nth(3).hover()
  await setMetadata1('Timed Post', 'zz last')
  await expect(row).toContainText('zz last')
  await expect(row).toHaveAttribute('data-glow')
  await expect(names.first()).toHaveText('Timed Post')
  await page.mouse.move(5, 5)
  await expect(names.first()).not.toHaveText('Timed Post')
})

test('a lost stream is shown at once and catches up without a reload', { tag: '@core' }, async ({
  app,
  page,
  context,
}) => {
  await page.clock.install()
  await app.openDashboard('known')
  await page.getByRole('searchbox').fill('paused post')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  let loads = 0
  page.on('load', () => loads++)
  await context.setOffline(true)
  await expect(page.getByText(/^Disconnected since \d/)).toBeVisible()
  await expect(page.locator('[data-stale]')).toHaveCount(1)
  // The server sends at least every 15 s. A silent connection counts as dead even if TCP keeps it open.
  await page.clock.fastForward(60_000)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(/^Disconnected since \d/)).toBeVisible()
  await renameTo('Paused Post', 'Renamed Later')
  await context.setOffline(false)
  await expect(page.getByText('Renamed Later')).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  expect(loads).toBe(0)
})

test('data that is late is shown with its age, and its statuses have no color', async ({ app, page }) => {
  await app.openDashboard('late')
  await expect(page.getByText(/^Delayed · data is \d+ (min|h) old$/)).toBeVisible()
  for (const status of ['Online', 'Offline'])
    await expect(page.getByRole('link').getByText(status, { exact: true })).toHaveCSS('filter', 'grayscale(1)')
  const online = page.getByRole('link').filter({ has: page.getByText('Online', { exact: true }) })
  await page.goto(new URL((await online.first().getAttribute('href')) as string, page.url()).href)
  await expect(page.getByText(/^Delayed · data is \d+ (min|h) old$/)).toBeVisible()
  await expect(page.getByText('Online', { exact: true }).first()).toHaveCSS('filter', 'grayscale(1)')
  await app.openDashboard('known')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.getByRole('link').getByText('Offline', { exact: true }).first()).toHaveCSS('filter', 'none')
})
