import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'
const MINUTE_MS = 60_000

const openAt = async (app: App, path: string, minutesAgo: number) => {
  await app.remember(await getAdminSession(tenant))
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString()
  await app.page.goto(`${addresses.url}${path}?tenant=${tenant}&at=${at}`)
}

test('the dashboard goes back to before an outage, says so, and returns', async ({ app, page }) => {
  await app.openDashboard(tenant)
  await expect(app.chip('Offline')).toContainText('4')
  await page.getByRole('link', { name: 'Go back in time…' }).click()
  const bar = page.getByRole('region', { name: 'Time travel' })
  await expect(bar).toContainText('As of')
  // The fleet worked for an hour before the tests began, and the outage began with them.
  await openAt(app, '/dashboard', 40)
  await expect(app.chip('Offline')).toContainText('0')
  await expect(app.chip('Online')).toContainText('5')
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toHaveCount(0)
  await expect(page.getByText('Terminals have their first known name.')).toBeVisible()
  await expect(page.getByRole('region', { name: /^Incident: / })).toHaveCount(0)
  // There is no stream while the past is shown, and links keep the time.
  await page.getByRole('link', { name: 'Terminal Table' }).click()
  await expect(page.getByRole('row', { name: /Bethel 1/ })).toContainText('Online')
  await bar.getByRole('button', { name: 'Back to live' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Bethel 1/ })).toContainText('Offline')
  expect(new URL(page.url()).searchParams.has('at')).toBe(false)
})

test('the slider moves by keys, and playing moves it on to the present', async ({ app, page }) => {
  await openAt(app, '/dashboard', 40)
  await expect(app.rows.first()).toBeVisible()
  const at = () => Date.parse(new URL(page.url()).searchParams.get('at') ?? '')
  const before = at()
  const slider = page.getByRole('slider', { name: 'Time on the slider' })
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(at).toBeLessThan(before - MINUTE_MS / 2)
  const earlier = at()
  await page.getByLabel('Speed').selectOption('900×')
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(at).toBeGreaterThan(earlier + 10 * MINUTE_MS)
  // Playback stops at the present.
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible({ timeout: 30_000 })
})

test('the page of a terminal is that of then, and takes no commands', async ({ app, page }) => {
  await openAt(app, '/terminal/Bethel%201', 40)
  await expect(page.getByRole('heading', { name: 'Bethel 1' })).toBeVisible()
  await expect(page.getByRole('banner').or(page.locator('header')).getByText('Online').first()).toBeVisible()
  await expect(page.getByText('Terminals have their first known name.')).toBeVisible()
  await expect(page.getByLabel('IP Policy')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reboot' })).toBeDisabled()
  await expect(page.getByText('Back to live first: this shows the past.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
})

test('incidents are those of then, and an incident leads to its time', async ({ app, page }) => {
  await openAt(app, '/incidents', 40)
  await expect(page.getByText('No incident was open then.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to live' }).click()
  await page.getByRole('link', { name: 'Network outage around Bethel' }).click()
  await expect(page.getByRole('link', { name: 'The fleet as it was then' })).toHaveAttribute('href', /at=20/)
  // The same page at that time shows nothing later, and is read-only.
  // Another test may have acknowledged it.
  const actions = page.getByRole('button', { name: /^(Acknowledge|Save note)$/ })
  await expect(actions).toBeVisible()
  const here = new URL(page.url())
  here.searchParams.set('at', new Date(Date.now() - 40 * MINUTE_MS).toISOString())
  await page.goto(here.href)
  await expect(page.getByText('This incident was not known at that time.')).toBeVisible()
  await expect(actions).toHaveCount(0)
})

test('axe finds no violations in the past', async ({ app, page }) => {
  await openAt(app, '/dashboard', 40)
  await expect(app.rows.first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Time travel' })).toBeVisible()
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, display.title)
  }
})
