import { addresses } from './addresses.ts'
import { expect, press, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

const tenant = 'company3'

/** The response to a program that uses the token. */
const listTerminals = async (token: string) =>
  (await fetch(`${addresses.url}/api/terminals/`, { headers: { authorization: `Bearer ${token}` } })).status

test('an administrator creates a service token by keyboard, uses it and revokes it', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/tokens', tenant)
  await press(page.getByRole('button', { name: 'Create Service Token' }))
  const dialog = page.getByRole('dialog')
  // A retry finds the token of the first attempt.
  const name = `Nightly report ${test.info().retry + 1}`
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toBeFocused()
  await dialog.getByRole('textbox', { name: /^Name/ }).press('Enter')
  await expect(dialog.getByText('Please choose at least one scope.')).toBeVisible()
  // The name and the group.
  await expect(dialog.getByText('This field is required.')).toHaveCount(2)
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(name)
  await dialog.getByRole('combobox', { name: 'GroupID' }).fill('north')
  await press(dialog.getByLabel('See terminals and their measurements'), 'Space')
  await dialog.getByRole('textbox', { name: /^Name/ }).press('Enter')
  const secret = await dialog.getByLabel('Token', { exact: true }).inputValue()
  expect(secret).toMatch(/^dsb_company3_[0-9A-Za-z]{49}$/)
  expect(await listTerminals(secret)).toBe(200)
  await press(dialog.getByRole('button', { name: 'Done' }))
  await press(page.getByRole('button', { name: `Revoke ${name}` }))
  await press(dialog.getByRole('button', { name: 'Revoke' }))
  await expect(page.getByText(`The token “${name}” is revoked.`)).toBeVisible()
  expect(await listTerminals(secret)).toBe(401)
  await expect(page.getByRole('button', { name: `Revoke ${name}` })).toHaveCount(0)
})

test('a user creates a token of their own on the profile page', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/profile', tenant)
  const card = page.getByRole('region', { name: 'API tokens' })
  await card.getByRole('button', { name: 'Create Token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Own script')
  await dialog.getByLabel('See terminals and their measurements').check()
  await dialog.getByLabel('Addresses it may be used from').fill('192.0.2.300')
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  await expect(dialog.getByText('Please enter an address such as 192.0.2.7 or 192.0.2.0/24.')).toBeVisible()
  await dialog.getByLabel('Addresses it may be used from').fill('127.0.0.0/8')
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  expect(await listTerminals(await dialog.getByLabel('Token', { exact: true }).inputValue())).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(card.getByText('Own script')).toBeVisible()
  await card.getByRole('button', { name: 'Revoke Own script' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(card.getByText('Own script')).toHaveCount(0)
})

test('API tokens: axe finds no violations in light and dark, wide and narrow', async ({ app, page }) => {
  const { access } = await getAdminSession('dishboard')
  const body = { name: 'Grafana', scopes: ['terminals:read'], expiresInDays: 30, networks: ['192.0.2.0/24'] }
  await callApi('dishboard', 'POST', '/my-tokens/', { token: access, body })
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/admin-page')
  await page.getByRole('link', { name: 'API Tokens' }).click()
  await expect(page.getByText('Grafana').first()).toBeVisible()
  await expectAccessibleInDisplays(page)
  await page.getByRole('button', { name: 'Create Service Token' }).click()
  await expectAccessibleInDisplays(page)
})
