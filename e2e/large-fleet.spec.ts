import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { waitUntilLoaded } from './every-page.ts'
import { listMisplacedTexts } from './misplaced-texts.ts'
import { listCutTexts } from './page-faults.ts'
import { getAdminSession } from './users.ts'

const tenant = 'known'
const states = [
  { status: 'online', alerts: '["mast_not_vertical"]' },
  { status: 'offline', alerts: '[]' },
  { status: 'offline', alerts: '["disabled_no_active_account"]' },
  { status: 'no data', alerts: '[]' },
]

/** Ten thousand terminals of each status. */
const multiplyFleet = (page: Page) =>
  page.route('**/api/terminals/', async (route) => {
    const { data, ...others } = await (await route.fetch()).json()
    const many = Array.from({ length: 40_000 }, (_, number) => ({
      ...data[0],
      ...states[number % states.length],
      id: `many ${number}`,
      nickname: `Dish ${number}`,
    }))
    await route.fulfill({ json: { ...others, data: many } })
  })

for (const width of [1280, 768, 360])
  test(`at ${width} px the figures of a large fleet are whole`, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 800 })
    await app.remember(await getAdminSession(tenant))
    await multiplyFleet(page)
    await app.open('/dashboard', tenant)
    for (const name of ['Online', 'Offline', 'Disabled', 'No Data']) await expect(app.chip(name)).toHaveText(/10,000/)
    await waitUntilLoaded(page)
    const head = page.getByRole('region', { name: 'Fleet health' })
    const labels = [/^online/, /^need attention$/, ...(width > 360 ? [/this month$/] : [])]
    for (const label of labels) await expect(head.getByText(label).first()).toBeInViewport({ ratio: 0.9 })
    expect([...(await page.evaluate(listMisplacedTexts)), ...(await page.evaluate(listCutTexts))]).toEqual([])
  })

test('more terminals than can be changed at once are refused before anything is entered', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await page.route('**/api/terminals/details/', async (route) => {
    const { data, ...others } = await (await route.fetch()).json()
    const many = Array.from({ length: 10_001 }, (_, number) => ({ ...data[0], id: `many ${number}` }))
    await route.fulfill({ json: { ...others, data: many } })
  })
  await app.open('/terminaltable', tenant)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Select all 10,001 that match' }).click()
  await page.getByRole('button', { name: 'Set metadata…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set metadata' })
  await expect(dialog.getByRole('alert')).toContainText('10,001 terminals are selected. Please select at most 10,000')
  await expect(dialog.getByLabel('Value')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(dialog).toHaveCount(0)
})
