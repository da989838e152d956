import type { TenantSettings } from '#contract/tenant-settings.ts'
import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

const tenant = 'company3'

const readSettings = async (token: string) =>
  (await callApi(tenant, 'GET', '/tenant-settings/', { token })).body.settings as TenantSettings

test('an administrator changes the settings of the tenant by keyboard', { tag: '@core' }, async ({ app, page }) => {
  const session = await getAdminSession(tenant)
  await app.remember(session)
  await app.open('/settings', tenant)
  const settling = page.getByLabel('Minutes that a status has to last')
  const before = await readSettings(session.access)
  await expect(page.getByLabel('Time zone')).toHaveValue(before.timeZone)
  await settling.fill('121')
  await settling.press('Enter')
  await expect(page.getByText('Please enter a whole number from 1 to 120.')).toBeVisible()
  await expect(settling).toBeFocused()
  await settling.fill('8')
  await page.getByLabel('Time zone').selectOption('Pacific/Auckland')
  await page.getByLabel('Units', { exact: true }).selectOption('imperial')
  await page.getByLabel('Tickets').fill('2000')
  await settling.press('Enter')
  await expect(page.getByText('The settings have been saved.')).toBeVisible()
  await page.reload()
  await expect(settling).toHaveValue('8')
  await expect(page.getByLabel('Time zone')).toHaveValue('Pacific/Auckland')
  await expect(page.getByLabel('Tickets')).toHaveValue('2000')
  const config = await callApi(tenant, 'GET', '/config/', {})
  expect(config.body).toMatchObject({ timeZone: 'Pacific/Auckland', units: 'imperial' })
  await callApi(tenant, 'PATCH', '/tenant-settings/', { token: session.access, body: before })
})

test('settings: axe finds no violations in light and dark, wide and narrow, and nothing scrolls sideways', async ({
  app,
  page,
}) => {
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/admin-page')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Minutes that a status has to last').fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter a whole number from 1 to 120.')).toBeVisible()
  await expectAccessibleInDisplays(page)
})
