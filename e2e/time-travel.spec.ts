import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

const tenant = 'outage'
const MINUTE_MS = 60_000

/** The open incidents, once the outage is one of them. */
const readIncidents = async () => {
  const { access } = await getAdminSession(tenant)
  const read = async () => (await callApi(tenant, 'GET', '/incidents/', { token: access })).body
  await expect.poll(async () => (await read()).incidents).toHaveLength(1)
  return read()
}

/** Half an hour before the outage: the fleet worked for an hour before it. */
const getTimeBefore = async () => {
  const [outage] = (await readIncidents()).incidents as { startedAt: string }[]
  return new Date(Date.parse(outage?.startedAt as string) - 30 * MINUTE_MS).toISOString()
}

const openAt = async (app: App, path: string, at: string) => {
  await app.remember(await getAdminSession(tenant))
  await app.page.goto(`${addresses.url}${path}?tenant=${tenant}&at=${at}`)
}

const openBefore = async (app: App, path: string) => openAt(app, path, await getTimeBefore())

test('the dashboard goes back to before an outage, says so, and returns', async ({ app, page }) => {
  await app.openDashboard(tenant)
  await expect(app.chip('Offline')).toContainText('4')
  await page.getByRole('link', { name: 'Go back in time…' }).click()
  const bar = page.getByRole('region', { name: 'Time travel' })
  await expect(bar).toContainText('As of')
  await openBefore(app, '/dashboard')
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
  await openBefore(app, '/dashboard')
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
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('incidents of an area are on the slider however many smaller ones followed', async ({ app, page }) => {
  const others = await readIncidents()
  const [template] = others.incidents as object[]
  const HOUR_MS = 60 * MINUTE_MS
  const nowMs = Date.now()
  const toTime = (hoursAgo: number) => new Date(nowMs - hoursAgo * HOUR_MS).toISOString()
  const build = (number: number, hoursAgo: number) => ({
    ...template,
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    startedAt: toTime(hoursAgo),
    openedAt: toTime(hoursAgo),
    endedAt: toTime(hoursAgo - 0.05),
  })
  await page.route('**/api/incidents/?show=all*', async (route) => {
    const isWidespread = new URL(route.request().url()).searchParams.has('widespread')
    const incidents = isWidespread
      ? [build(999, 10)]
      : Array.from({ length: 200 }, (_, number) => build(number, 0.2 + number / 400))
    await route.fulfill({ json: { ...others, incidents } })
  })
  await openAt(app, '/dashboard', toTime(2))
  const incomplete = page.getByTitle(/^Before .*, only incidents of an area are marked\.$/)
  await expect(incomplete).toBeAttached()
  await page.getByRole('button', { name: 'Previous incident' }).click()
  await expect
    .poll(() => Date.parse(new URL(page.url()).searchParams.get('at') ?? ''))
    .toBeLessThan(nowMs - 9 * HOUR_MS)
})

test('the page of a terminal shows that time, and takes no commands', async ({ app, page }) => {
  await openBefore(app, '/terminal/Bethel%201')
  await expect(page.getByRole('heading', { name: 'Bethel 1' })).toBeVisible()
  await expect(page.getByRole('banner').or(page.locator('header')).getByText('Online').first()).toBeVisible()
  await expect(page.getByText('Terminals have their first known name.')).toBeVisible()
  await expect(page.getByLabel('IP Policy')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reboot' })).toBeDisabled()
  await expect(page.getByText('Back to live first: this shows the past.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
})

test('incidents are those of that time, and an incident links to its time', async ({ app, page }) => {
  await openBefore(app, '/incidents')
  await expect(page.getByText('No incident was open then.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to live' }).click()
  await page.getByRole('link', { name: 'Network outage around Bethel' }).click()
  await expect(page.getByRole('link', { name: 'The fleet as it was then' })).toHaveAttribute('href', /at=20/)
  // The same page at that time shows nothing later, and is read-only.
  // Another test may have acknowledged it.
  const actions = page.getByRole('button', { name: /^(Acknowledge|Save note)$/ })
  await expect(actions).toBeVisible()
  const here = new URL(page.url())
  here.searchParams.set('at', await getTimeBefore())
  await page.goto(here.href)
  await expect(page.getByText('This incident was not known at that time.')).toBeVisible()
  await expect(actions).toHaveCount(0)
})

test('axe finds no violations in the past', async ({ app, page }) => {
  await openBefore(app, '/dashboard')
  await expect(app.rows.first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Time travel' })).toBeVisible()
  await expectAccessibleInDisplays(page)
})
