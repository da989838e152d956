import type { Page } from '@playwright/test'
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from '#server/testing/openid-provider.ts'
import { addresses } from './addresses.ts'
import { expect, press, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

const tenant = 'sign_on'

let provider: OpenIdProvider
test.beforeAll(async () => {
  provider = await startOpenIdProvider([`${addresses.url}/sso/callback`])
  provider.accounts.set('jo', {
    email: `jo@${tenant}.example`,
    email_verified: true,
    name: 'Jo North',
    groups: ['noc'],
  })
})
test.afterAll(() => provider.close())

const fillSettings = async (page: Page) => {
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByLabel('Client ID').fill(CLIENT.client_id)
  await page.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.client_secret)
  await page.getByLabel('Scopes').fill('openid email profile groups offline_access')
  await page.getByLabel('Text of the button').fill('Sign in with Example')
  for (const remove = page.getByRole('button', { name: 'Remove rule 1' }); await remove.isVisible(); )
    await remove.click()
  await page.getByRole('button', { name: 'Add Rule' }).click()
  await page.getByLabel('Value of rule 1').fill('noc')
  await page.getByLabel('Then of rule 1').selectOption('admit as user')
  await page.getByLabel('GroupID of rule 1').fill('north')
}

test('an administrator sets single sign-on up, and a user signs in at the provider and logs out there', {
  tag: '@core',
}, async ({ app, page, browser }) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/single-sign-on', tenant)
  // The server's objections are shown at their fields.
  await page.getByRole('button', { name: 'Test Connection' }).click()
  await expect(page.getByLabel('Issuer')).toHaveAccessibleDescription('This field is required.')
  await page.getByLabel('Sample claims or token').fill('not a token')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(page.getByLabel('Sample claims or token')).toHaveAccessibleDescription(/^Please enter a JSON object/)
  await fillSettings(page)
  await page.getByRole('button', { name: 'Test Connection' }).click()
  await expect(page.getByText(`OK: The provider answers and calls itself ${provider.issuer}.`)).toBeVisible()
  await page.getByLabel('Sample claims or token').fill('{ "groups": ["noc"] }')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(page.getByText('Rule 1 admits as a user of the group north.')).toBeVisible()
  await press(page.getByRole('switch', { name: 'Users may sign in with single sign-on' }), 'Space')
  await press(page.getByRole('switch', { name: 'Single sign-on only' }), 'Space')
  await page.getByLabel(`admin@${tenant}.example`).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Single sign-on has been saved.')).toBeVisible()

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`${addresses.url}/dashboard?tenant=${tenant}`)
  await expect(visitor.getByRole('button', { name: 'Sign in with a password' })).toBeVisible()
  await expect(visitor.getByLabel('Email')).toHaveCount(0)
  await visitor.getByRole('button', { name: 'Sign in with Example' }).click()
  await visitor.getByLabel('Account').fill('jo')
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  // The page that the visitor requested, and nothing of the provider's response in the URL.
  await expect(visitor.getByRole('button', { name: 'Continue to Dashboard' })).toBeVisible()
  expect(new URL(visitor.url()).search).toBe(`?tenant=${tenant}`)
  await visitor.getByRole('button', { name: 'Jo North' }).click()
  await visitor.getByRole('menuitem', { name: 'Log Out' }).click()
  await visitor.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click()
  await visitor.getByRole('button', { name: 'Yes' }).click()
  await expect(visitor.getByRole('button', { name: 'Sign in with Example' })).toBeVisible()
  // A response that belongs to no sign-in of this browser.
  await visitor.goto(`${addresses.url}/sso/callback?code=code&state=state&tenant=${tenant}`)
  await expect(visitor.getByText('This sign-in is too old')).toBeVisible()
  await visitor.context().close()
})

test('single sign-on: axe finds no violations in light and dark, wide and narrow, and nothing scrolls sideways', async ({
  app,
  page,
}) => {
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/single-sign-on')
  await page.getByRole('button', { name: 'Add Rule' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter the group of these users.')).toBeVisible()
  const long = 'averylongnamewithoutanyspace'.repeat(3)
  await page.getByLabel('Claim of rule 1').fill(long)
  await page.getByLabel('Value of rule 1').fill(long)
  await expect(page.getByText('Please enter the group of these users.')).toBeHidden()
  await page.getByLabel('Text of the button').fill(long.slice(0, 60))
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByRole('button', { name: 'Test Connection' }).click()
  await expect(page.getByText('Logging out there also logs out here at once')).toBeVisible()
  await expectAccessibleInDisplays(page)
})
