import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { getAdminSession } from './users.ts'

test.describe('in a browser of another language and zone', () => {
  test.use({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' })

  test('times and numbers are written alike, in the zone of the reader', async ({ app, page }) => {
    await app.remember(await getAdminSession('dishboard'))
    await app.open('/editing-logs')
    const time = page.getByRole('row').nth(1).getByRole('cell').last()
    await expect(time).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{2}:\d{2}:\d{2} GMT\+9$/)
    await app.open('/terminaltable')
    const cells = page.getByRole('row').nth(1).getByRole('cell')
    await expect(cells.filter({ hasText: /^[\d,]+\.\d{2} GB$/ }).first()).toBeVisible()
    await expect(cells.filter({ hasText: /\d,\d{2} GB$/ })).toHaveCount(0)
  })
})

const holdTerminals = async (page: Page) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/api/terminals/', async (route) => {
    await held.promise
    await route.continue()
  })
  return held
}

test('until the terminals are known, no count is shown as zero', async ({ app, page }) => {
  const held = await holdTerminals(page)
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/dashboard')
  for (const name of ['Online', 'Offline', 'No Data', 'Disabled', 'Alerts'])
    await expect(page.getByRole('button', { name: new RegExp(`^${name}`) })).toContainText('-')
  await expect(page.getByText('No alerts.')).toHaveCount(0)
  held.resolve()
  await expect(page.getByRole('button', { name: /^Online/ })).toContainText(/\d/)
})

test('until the terminals are known, the wall shows no count as zero', async ({ app, page }) => {
  const held = await holdTerminals(page)
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/dashboard?view=wall')
  const wall = page.getByRole('region', { name: 'Wall' })
  await expect(wall.getByText('need attention')).toBeVisible()
  await expect(wall.getByText(/^0$|of 0$/)).toHaveCount(0)
  held.resolve()
  await expect(wall).toContainText(/online, \d+ of \d+/)
})
