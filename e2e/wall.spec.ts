import { addresses } from './addresses.ts'
import { expect, press, test } from './app.ts'
import { expectAccessible } from './axe.ts'
import { callApi, getAdminSession, startSession } from './users.ts'

const tenant = 'known'

test('the wall shows large figures, the map and what happens, and is left again', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
  await page.setViewportSize({ width: 1920, height: 1080 })
  await app.openDashboard(tenant)
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Wall' }).press('Enter')
  const wall = page.getByRole('region', { name: 'Wall' })
  await expect(wall).toContainText(/online, \d+ of \d+/)
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  const heights = await wall
    .getByText(/^\d[\d,.]*%?$/)
    .evaluateAll((figures) => figures.map((figure) => Number.parseFloat(getComputedStyle(figure).fontSize)))
  expect(heights.length).toBeGreaterThan(4)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(64)
  const isOnOneScreen = () => page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)
  expect(await isOnOneScreen()).toBe(true)
  await expectAccessible(page, 'wall, dark')
  await page.setViewportSize({ width: 390, height: 800 })
  await expectAccessible(page, 'wall, on a phone')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await press(page.getByRole('button', { name: 'Leave the wall' }))
  await expect(app.rows.first()).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
})

test('the wall keeps its colors, whatever the user prefers', async ({ app, page }) => {
  const colors = page.locator('html')
  await page.emulateMedia({ colorScheme: 'dark' })
  await app.remember(await getAdminSession(tenant))
  await page.goto(`${addresses.url}/dashboard?view=wall&tenant=${tenant}`)
  await press(page.getByRole('button', { name: 'Light' }))
  await expect(colors).toHaveAttribute('data-mantine-color-scheme', 'light')
  await expect(page.locator('[data-scheme]')).toHaveAttribute('data-scheme', 'light')
  await press(page.getByRole('button', { name: 'Dark' }))
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('[data-scheme]')).toHaveAttribute('data-scheme', 'dark')
  await expect(colors).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await press(page.getByRole('button', { name: 'Leave the wall' }))
  await expect(colors).toHaveAttribute('data-mantine-color-scheme', 'light')
})

test('a screen stays signed in by a session that reads the wall only, until an administrator ends it', async ({
  app,
  page,
}) => {
  const session = await startSession(tenant, `admin@${tenant}.example`, 'Admin-demo-1')
  await page.goto(`${addresses.url}/login?tenant=${tenant}`)
  await page.evaluate(({ access, refresh }) => {
    localStorage.setItem('access', access)
    localStorage.setItem('refresh', refresh)
  }, session)
  await page.goto(`${addresses.url}/dashboard?view=wall&tenant=${tenant}`)
  await press(page.getByRole('button', { name: 'Keep this screen signed in' }))
  const question = page.getByRole('dialog', { name: 'Keep this screen signed in' })
  await expectAccessible(page, 'keep signed in')
  await press(question.getByRole('button', { name: 'Keep signed in' }))
  await expect(page.getByRole('button', { name: 'Leave the wall' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Wall' })).toContainText(/online, \d+ of \d+/)
  const token = await page.evaluate(() => localStorage.getItem('access') as string)
  expect(await page.evaluate(() => localStorage.getItem('refresh'))).toBeNull()
  const read = async (path: string) => (await callApi(tenant, 'GET', path, { token })).status
  expect(await read('/events/')).toBe(200)
  expect(await read('/terminals/details/')).toBe(403)
  expect(await read('/get-users/')).toBe(403)
  // The administrator's session has ended on this screen.
  expect((await callApi(tenant, 'GET', '/terminals/', { token: session.access })).status).toBe(401)

  const { access } = await getAdminSession(tenant)
  const { body } = await callApi(tenant, 'GET', '/api-tokens/', { token: access })
  const [listed] = (body.tokens as { id: string; name: string; scopes: string[] }[]).filter(({ scopes }) =>
    scopes.includes('wall:read'),
  )
  expect(listed?.name).toMatch(/^Wall of /)
  await callApi(tenant, 'DELETE', `/api-tokens/${listed?.id}/`, { token: access })
  // The stream ends, and the screen shows the sign-in.
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 })
  await expect(app.page.getByLabel('Email')).toBeVisible()
})

test('the figures of a large fleet stay in one line each', async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.route('**/api/terminals/', async (route) => {
    const { data, ...others } = await (await route.fetch()).json()
    const many = Array.from({ length: 15_000 }, (_, number) => ({
      ...data[0],
      id: `many ${number}`,
      status: 'offline',
      alerts: '[]',
    }))
    await route.fulfill({ json: { ...others, data: many } })
  })
  await app.remember(await getAdminSession(tenant))
  await page.goto(`${addresses.url}/dashboard?view=wall&tenant=${tenant}`)
  const figures = page.getByRole('region', { name: 'Wall' }).getByText(/^\d[\d,.]*%?$/)
  await expect(figures.filter({ hasText: '15,000' })).toHaveCount(2)
  const wrapped = await figures.evaluateAll((all) =>
    all
      .filter((each) => {
        const isHigh = each.getBoundingClientRect().height > Number.parseFloat(getComputedStyle(each).fontSize) * 1.5
        return isHigh || each.scrollWidth > each.clientWidth
      })
      .map((each) => each.textContent),
  )
  expect(wrapped).toEqual([])
})
