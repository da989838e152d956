import type { Locator, Page } from '@playwright/test'
import { App, expect, test } from './app.ts'
import { knownFleet, longName } from './known-fleet.ts'
import { downloadCsvLines } from './known-tenant.ts'
import { getAdminSession } from './users.ts'

const getTooltip = (page: Page) => page.getByRole('tooltip')

/** The position of a terminal's marker in the window: the anchor of its tooltip. */
async function findMarkerPosition(page: Page, row: Locator, name: string) {
  await row.hover()
  await expect(getTooltip(page)).toContainText(name)
  return getTooltip(page).evaluate(async (element) => {
    // The text is set one frame before the position.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const { x, y } = element.getBoundingClientRect()
    return { x, y }
  })
}

test('badges count and filter, an alert filter replaces the status filter, and the CSV holds what is shown', {
  tag: '@core',
}, async ({ app, page }) => {
  await app.openDashboard('known')
  await expect(app.chip('Online')).toContainText(String(knownFleet.length - 3))
  for (const name of ['Offline', 'No Data', 'Disabled']) await expect(app.chip(name)).toContainText('1')
  await app.chip('Offline').click()
  await expect(app.rows).toHaveCount(1)
  await expect(app.rows).toContainText('Adak Cabin')
  await expect(app.chip('Offline')).toHaveAttribute('aria-pressed', 'true')
  await app.chip('Offline').click()
  await expect(app.chip('Offline')).toHaveAttribute('aria-pressed', 'false')
  await app.chip('Disabled').click()
  await expect(app.rows).toContainText(['Barred Dish'])

  const alerts = page.getByRole('button', { name: /^Alerts/ })
  const kinds = page.getByRole('list', { name: 'Filter by alert' })
  await expect(kinds).toBeHidden()
  await alerts.hover()
  await expect(kinds.getByRole('button')).toHaveText([
    'Mast is not vertical2',
    'Disabled: no active account1',
    'roaming1',
  ])
  await kinds.getByRole('button', { name: 'Mast is not vertical' }).click()
  await expect(app.rows).toContainText(['Harbor 2', 'Harbor 10'])
  await expect(page).toHaveURL((url) => url.searchParams.get('alert') === 'mast_not_vertical')
  await expect(page).toHaveURL((url) => !url.searchParams.has('status'))
  await page.mouse.move(5, 5)
  await expect(kinds).toBeHidden()
  const lines = await downloadCsvLines(page)
  expect(lines[0]).toBe(
    'customname,nickname,deviceID,status,alerts,isMobile,latitude,longitude,street,city,state,lastSeen',
  )
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['Harbor 2', 'Harbor 10'])
  expect(lines[1]).toContain(',Online,"mast_not_vertical, roaming",false,52.2,-174.2,')

  await page.reload()
  await expect(app.rows).toContainText(['Harbor 2', 'Harbor 10'])
  await page.getByRole('group', { name: 'Filter by status' }).getByRole('button').last().focus()
  await page.keyboard.press('Tab')
  await expect(kinds).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((url) => !url.searchParams.has('alert'))
  await page.keyboard.press('Escape')
  await expect(kinds).toBeHidden()
  await expect(alerts).toBeFocused()
  await page.getByRole('searchbox').fill('(50% SHARE) [X')
  await expect(app.rows).toHaveCount(1)
  await expect(app.rows).toContainText('Mobile')
  await page.getByRole('searchbox').fill('.*')
  await expect(page.getByText('No terminals match.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'CSV' })).toBeDisabled()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(app.rows.first()).toBeVisible()
})

test('on a phone a tap toggles the alert menu, and a switch shows the map with its popups', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  const app = new App(page)
  await app.openDashboard('known')
  const alerts = page.getByRole('button', { name: /^Alerts/ })
  const kinds = page.getByRole('list', { name: 'Filter by alert' })
  await alerts.tap()
  await expect(kinds).toBeVisible()
  await alerts.tap()
  await expect(kinds).toBeHidden()
  await alerts.tap()
  await kinds.getByRole('button', { name: 'roaming' }).tap()
  await expect(kinds).toBeHidden()
  await expect(app.rows).toContainText(['Harbor 2'])
  await expect(page.getByRole('application', { name: 'Map' })).toHaveCount(0)
  await page.getByText('Map', { exact: true }).tap()
  await expect(page.getByRole('application', { name: 'Map' })).toHaveAttribute('data-markers', '1')
  await expect(app.rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all terminals' }).tap()
  await expect(async () => {
    await page.getByRole('application', { name: 'Map' }).tap()
    await expect(page.getByRole('region', { name: 'Harbor 2' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await page.getByText('List', { exact: true }).tap()
  await expect(app.rows).toBeInViewport()
  await context.close()
})

test('list and map have their heights, share the highlight, and a marker scrolls to its row', async ({ app, page }) => {
  await app.openDashboard('known')
  const list = page.getByRole('list', { name: 'Terminals', exact: true })
  const map = page.getByRole('region', { name: 'Map of terminals' })
  await expect(map.getByRole('application')).toHaveAttribute('data-markers', String(knownFleet.length))
  const [listBox, mapBox] = await Promise.all([list.boundingBox(), map.boundingBox()])
  expect(Math.round(listBox?.height ?? 0)).toBeGreaterThanOrEqual(798)
  expect(Math.round(mapBox?.height ?? 0)).toBe(640)
  await expect(app.rows.first()).toContainText('Adak Cabin')
  await expect(app.rows.nth(4)).toContainText('Harbor 2')
  await expect(app.rows.nth(5)).toContainText('Harbor 10')

  const attu = await findMarkerPosition(page, app.rows.filter({ hasText: 'Attu' }), 'Attu Watch')
  const adak = await findMarkerPosition(page, app.rows.filter({ hasText: 'Adak' }), 'Adak Cabin')
  // Ten degrees apart across the antimeridian. A view that wrapped the other way would show them side by side.
  expect(adak.x - attu.x).toBeGreaterThan((mapBox?.width ?? 0) / 2)

  const harbor = await findMarkerPosition(page, app.rows.filter({ hasText: 'Harbor 10' }), 'Harbor 10')
  await page.mouse.click(harbor.x, harbor.y)
  const popup = page.getByRole('region', { name: '2 terminals here' })
  await expect(popup.getByRole('listitem')).toHaveCount(2)
  await expect(popup).toContainText('3 Front Street, Atka, AK')
  const [opened] = await Promise.all([page.waitForEvent('popup'), popup.getByRole('link').first().click()])
  await expect(opened).toHaveURL((url) => url.pathname.startsWith('/terminal/'))
  await opened.close()
  await popup.getByRole('button', { name: 'Close' }).click()
  await expect(popup).toBeHidden()

  // Too low for all rows.
  await page.setViewportSize({ width: 1280, height: 420 })
  const row = app.rows.filter({ hasText: longName })
  const far = await findMarkerPosition(page, row, longName)
  await list.evaluate((element) => element.scrollTo(0, 0))
  await expect(row).not.toBeInViewport()
  await page.mouse.click(far.x, far.y)
  await expect(row).toBeInViewport()
  await expect(row).toHaveAttribute('data-highlighted')
  await expect(page.getByRole('region', { name: longName })).toContainText('Front Street, Unalaska, AK')
})

test('terminals without coordinates are drawn at 0,0 and do not affect the fitted view', async ({ app, page }) => {
  const consoleMessages: string[] = []
  page.on('console', (message) => consoleMessages.push(message.text()))
  await app.openDashboard('known')
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
  await page.getByRole('searchbox').fill('lost buoy')
  await expect(app.rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Show all terminals' }).click()
  await app.rows.hover()
  await expect(getTooltip(page)).toBeHidden()
  // A click during the animation zooms less than a full step.
  await expect(async () => {
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await app.rows.hover()
    await expect(getTooltip(page)).toContainText('Location unknown', { timeout: 5000 })
  }).toPass()
  const at = await findMarkerPosition(page, app.rows, 'Location unknown')
  await page.mouse.click(at.x, at.y)
  await expect(page.getByRole('region', { name: 'Lost Buoy' })).toContainText('Location unknown')
  expect(consoleMessages.join('\n')).toContain('Error parsing terminal coordinates')
  expect(consoleMessages.join('\n')).toContain('No valid coordinates found for markers.')
})

test('the chosen map mode survives a reload and reaches other tabs', async ({ app, page, context }) => {
  await app.openDashboard('known')
  const map = page.getByRole('application', { name: 'Map' })
  await expect(map).toHaveAttribute('data-scheme', 'light')
  await page.getByRole('button', { name: 'Switch to Dark Mode' }).click()
  await expect(map).toHaveAttribute('data-scheme', 'dark')
  expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBe('true')
  await page.reload()
  await expect(map).toHaveAttribute('data-scheme', 'dark')
  const other = await context.newPage()
  const { access, refresh } = await getAdminSession('known')
  await other.addInitScript((tokens) => Object.assign(localStorage, tokens), { access, refresh })
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Switch to Light Mode' }).click()
  await expect(page.getByRole('button', { name: 'Switch to Dark Mode' })).toBeVisible()
  await expect(map).toHaveAttribute('data-scheme', 'light')

  // A very long name leaves room for the status next to it.
  const row = app.rows.filter({ hasText: longName })
  const within = (await row.boundingBox()) as { x: number; width: number }
  const status = (await row.getByText('Online').boundingBox()) as { x: number; width: number }
  expect(status.x + status.width).toBeLessThanOrEqual(within.x + within.width)
})

test('beside the longest name of an alert, its count stays on one line', async ({ app, page }) => {
  await app.openDashboard('known')
  await page.getByRole('button', { name: /^Alerts/ }).hover()
  const [name, count] = [0, 1].map((place) => page.getByRole('button', { name: /^Mast/ }).locator('span').nth(place))
  await name?.evaluate((element) => element.append(' and stands too far from the address of its service'))
  await count?.evaluate((element) => element.replaceChildren('1,066'))
  const lineHeight = 21
  expect((await count?.boundingBox())?.height).toBeLessThanOrEqual(lineHeight)
})

test('a terminal without any status has a hatched strip instead of none', async ({ app, page }) => {
  await app.openDashboard()
  // Service lines without a terminal.
  await page.getByRole('searchbox').fill('status:"no data"')
  const row = app.rows.filter({ hasText: /Old Depot|New Clinic/ }).first()
  await expect(row.getByRole('img', { name: '24 hours: not observed' })).toBeVisible()
})

test('the head shows the health of the fleet, and the chosen order of the list is remembered', async ({
  app,
  page,
}) => {
  // A separate user, because the order is stored for all sessions of a user.
  await app.openAsNewUser('/dashboard', 'known')
  const head = page.getByRole('region', { name: 'Fleet health' })
  await expect(head).toContainText(`${knownFleet.length - 3} of ${knownFleet.length}`)
  await expect(app.rows.first()).toContainText('Adak Cabin')
  await expect(app.rows.first().getByRole('img', { name: /^24 hours: / })).toBeVisible()

  const attention = head.getByRole('button', { name: /attention/ })
  const saved = page.waitForResponse((response) => response.url().includes('/api/list-order/'))
  await attention.click()
  await expect(page).toHaveURL((url) => url.searchParams.get('order') === 'worst')
  await expect(app.rows.first()).toContainText('Offline')
  expect((await saved).status()).toBe(200)
  await app.open('/dashboard', 'known')
  await expect(page.getByRole('combobox', { name: 'Order of the list' })).toHaveValue('worst')
  await expect(app.rows.first()).toContainText('Offline')
  await page.getByRole('combobox', { name: 'Order of the list' }).selectOption('By name')
  await expect(app.rows.nth(4)).toContainText('Harbor 2')
})
