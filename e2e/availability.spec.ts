import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'

test('a figure of availability opens the times it is made of, down to the incident', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/availability', tenant)
  await expect(page.getByText('5 terminals', { exact: true })).toBeVisible()
  await page.getByLabel('Period').selectOption('year')
  await expect(page).toHaveURL(/period=year/)
  await page.getByRole('button', { name: 'Set target' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Target of north' })
  await dialog.getByLabel('Availability (%)').fill('101')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter a percentage from 1 to 100.')).toBeVisible()
  await dialog.getByLabel('Availability (%)').fill('99.9')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /^north/ })).toContainText('99.90%')
  await page.getByRole('button', { name: 'Longest: ' }).click()
  await expect(
    page.getByRole('heading', { name: 'Times in which terminals were down, the longest first' }),
  ).toBeVisible()
  const outages = page.getByRole('region', { name: 'Times in which terminals were down' })
  await outages.getByRole('button', { name: 'Bethel 1' }).click()
  await expect(page.getByRole('heading', { name: 'Availability of Bethel 1' })).toBeVisible()
  await page.getByRole('link', { name: 'Network outage' }).click()
  await expect(page.getByRole('heading', { name: 'Network outage around Bethel' })).toBeVisible()
})

test('axe finds no violations on the availability of all and of one terminal', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession(tenant))
  await app.open('/availability', tenant)
  const link = page.getByRole('button', { name: 'Bethel 1' })
  await expect(link).toBeVisible()
  await page.getByRole('button', { name: 'Down: ' }).click()
  await expect(page.getByRole('heading', { name: 'Times in which terminals were down' })).toBeVisible()
  await expectAccessibleInDisplays(page, 'summary')
  await page.getByRole('button', { name: 'Down: ' }).click()
  await expect(page.getByRole('heading', { name: 'Times in which terminals were down' })).toHaveCount(0)
  await link.click()
  await expect(page.getByRole('heading', { name: 'Availability of Bethel 1' })).toBeVisible()
  await expectAccessibleInDisplays(page, 'terminal')
})
