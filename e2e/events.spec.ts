import { randomUUID } from 'node:crypto'
import { expect, test } from './app.ts'
import { expectAccessible, expectAccessibleInDisplays, setDisplay } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

const tenant = 'known'

/** Causes an event. */
const createPool = async () => {
  const name = `Pool-${randomUUID().slice(0, 8)}`
  const { access } = await getAdminSession(tenant)
  const pool_details = { plan_name: name, usage_limit: 500, assigned_service_lines: [] }
  expect((await callApi(tenant, 'POST', '/virtual-plan/', { token: access, body: { pool_details } })).status).toBe(200)
  return name
}

test('what happens appears beside the dashboard as it happens', { tag: '@core' }, async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const before = await createPool()
  await app.openDashboard(tenant)
  const button = page.getByRole('button', { name: 'Events', exact: true })
  await button.press('Enter')
  const drawer = page.getByRole('complementary', { name: 'Events' })
  await expect(drawer).toBeFocused()
  const first = drawer.getByRole('listitem').filter({ hasText: before })
  await expect(first).toContainText('was created')
  const name = await createPool()
  await expect(drawer.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  // The exact time is shown on focus.
  const link = first.getByRole('link')
  await link.focus()
  await expect(first.getByText(/\d{4}.*\d:\d\d/)).toBeVisible()
  await drawer.getByRole('button', { name: 'Commands' }).click()
  await expect(first).toHaveCount(0)
  await drawer.getByRole('button', { name: 'Pools and data' }).click()
  await expect(first).toBeVisible()
  await expectAccessibleInDisplays(page, 'events')
  // The last one is a phone, whose toolbar has no room for the button.
  await setDisplay(page, { colorScheme: 'light', width: 1280 })
  await expect(button).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('the events keep the focus while the figures above the list arrive', async ({ app, page }) => {
  const figures = Promise.withResolvers<void>()
  await page.route(/FleetHead-[\w-]+\.js$/, async (route) => {
    await figures.promise
    await route.continue()
  })
  await app.openDashboard(tenant)
  await page.getByRole('button', { name: 'Events', exact: true }).press('Enter')
  const drawer = page.getByRole('complementary', { name: 'Events' })
  await expect(drawer).toBeFocused()
  figures.resolve()
  await expect(page.getByRole('region', { name: 'Fleet health' }).getByText(/^online/)).toBeVisible()
  await expect(drawer).toBeFocused()
})

test('the address holds what is listed, and the list of the page of incidents is live', async ({ app, page }) => {
  await app.openDashboard(tenant)
  await page.getByRole('button', { name: 'Events' }).click()
  const drawer = page.getByRole('complementary', { name: 'Events' })
  await expect(page).toHaveURL(/events=all/)
  await drawer.getByRole('button', { name: 'Commands' }).click()
  await drawer.getByRole('button', { name: 'Pools and data' }).click()
  await expect(page).toHaveURL(/events=command%2Cpool/)
  await app.open('/incidents?events=command,pool', tenant)
  await expect(drawer.getByRole('button', { name: 'Commands' })).toHaveAttribute('aria-pressed', 'true')
  await expect(drawer.getByRole('button', { name: 'Status' })).toHaveAttribute('aria-pressed', 'false')
  const before = await createPool()
  await expect(drawer.getByRole('listitem').filter({ hasText: before })).toBeVisible()
  const name = await createPool()
  await expect(drawer.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await drawer.getByRole('button', { name: 'Commands' }).click()
  await drawer.getByRole('button', { name: 'Pools and data' }).click()
  await expect(drawer.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true')
  await drawer.getByRole('button', { name: 'Close events' }).click()
  await expect(page).not.toHaveURL(/events=/)
})

test('a sound and notifications are off until they are wanted, and the browser remembers', async ({ app, page }) => {
  // A browser without a window refuses notifications whatever is granted.
  await page.addInitScript(() => {
    const read = () => (sessionStorage.getItem('withdrawn') ? 'denied' : 'granted')
    Object.defineProperty(Notification, 'permission', { get: read })
    Notification.requestPermission = async () => read()
  })
  await app.openDashboard(tenant)
  await page.getByRole('button', { name: 'Events' }).click()
  const sound = page.getByRole('switch', { name: 'Play a sound' })
  await expect(sound).not.toBeChecked()
  const notifications = page.getByRole('switch', { name: 'Notify me' })
  await expect(notifications).not.toBeChecked()
  await sound.press('Space')
  await notifications.press('Space')
  await expect(notifications).toBeChecked()
  // The URL reopens the list.
  await page.reload()
  await expect(sound).toBeChecked()
  await expect(notifications).toBeChecked()
  // The browser's settings decide.
  await page.evaluate(() => sessionStorage.setItem('withdrawn', 'yes'))
  await page.reload()
  await expect(sound).toBeChecked()
  await expect(notifications).not.toBeChecked()
})

test('the page of a terminal lists what concerns it', async ({ app, page }) => {
  await app.remember(await getAdminSession('outage'))
  await app.open('/terminal/Bethel%202', 'outage')
  await page.getByRole('button', { name: 'Events' }).click()
  const drawer = page.getByRole('complementary', { name: 'Events' })
  // Another test may have acknowledged it, which is a second event.
  await expect(drawer.getByText('Network outage around Bethel').first()).toBeVisible()
  await expectAccessible(page, 'events of a terminal')
})
