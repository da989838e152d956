import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'

const newPasswordRule =
  'New password must contain at least one capital letter, one number, one special character and be at least 8 characters long.'

test('editing the profile requires name and company', { tag: '@core' }, async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  await page.getByLabel('Customer Name').fill('')
  await page.getByRole('button', { name: 'Edit your profile' }).click()
  await expect(page.getByText('This field is required.')).toBeVisible()
  await page.getByLabel('Customer Name').fill('Nome School')
  await page.getByLabel('Company').fill('District')
  await page.getByRole('button', { name: 'Edit your profile' }).click()
  await expect(page.getByText('Your profile has been succesfully edited.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Customer Name')).toHaveValue('Nome School')
})

test('offline, an edit fails at once, keeps the input, and is sent only on the next save', async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const company = page.getByLabel('Company')
  const save = page.getByRole('button', { name: 'Edit your profile' })
  const sentBodies: string[] = []
  page.on('requestfinished', (request) => {
    if (request.method() !== 'GET') sentBodies.push(request.postData() ?? '')
  })
  const edited = page.getByText('Your profile has been succesfully edited.')
  await company.fill('Before')
  await save.click()
  await expect(edited).toBeVisible()
  await expect(edited).toBeHidden()

  await page.context().setOffline(true)
  await company.fill('Offline')
  await save.click()
  await expect(page.getByText('The server cannot be reached. Please check your connection.')).toBeVisible()
  await expect(company).toHaveValue('Offline')
  await expect(save).toBeEnabled()

  await page.context().setOffline(false)
  await page.evaluate(() => fetch('/healthz'))
  expect(sentBodies.filter((body) => body.includes('Offline'))).toEqual([])
  await save.click()
  await expect(edited).toBeVisible()
  expect(sentBodies.filter((body) => body.includes('Offline'))).toHaveLength(1)
  await page.reload()
  await expect(company).toHaveValue('Offline')
})

test('a new password is validated and needs the current one', async ({ app, page }) => {
  const { password } = await app.openAsNewUser('/profile')
  const type = async (current: string, next: string, again: string) => {
    await page.getByRole('textbox', { name: 'Current Password' }).fill(current)
    await page.getByRole('textbox', { name: 'New Password' }).fill(next)
    await page.getByRole('textbox', { name: 'Confirm Password' }).fill(again)
    await page.getByRole('button', { name: 'Reset Password' }).click()
  }
  await type('', '', '')
  await expect(page.getByText('This field is required.')).toHaveCount(3)
  await type(password, 'Other-pass-1', 'Other-pass-2')
  await expect(page.getByText('New password and confirm password do not match!!')).toBeVisible()
  await type(password, 'weak', 'weak')
  await expect(page.getByText(newPasswordRule)).toBeVisible()
  await type('Wrong-pass-1', 'Other-pass-1', 'Other-pass-1')
  await expect(page.getByText('An error occurred while resetting your password. Please try again.')).toBeVisible()
  await type(password, 'Other-pass-1', 'Other-pass-1')
  await expect(page.getByText('Your password has been changed. Your other sessions are signed out.')).toBeVisible()
})

test('the sections of the profile are a press away, and their links follow what is read', async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const links = page.getByRole('navigation', { name: 'Profile sections' }).getByRole('link')
  await expect(links).toHaveText(['Account', 'Security', 'Notifications', 'Appearance'])
  await expect(links.nth(0)).toHaveAttribute('aria-current', 'location')
  for (const width of [1440, 800, 360]) {
    await page.setViewportSize({ width, height: 740 })
    for (const name of ['Notifications', 'Security']) {
      await links.getByText(name).press('Enter')
      await expect(page).toHaveURL((url) => url.hash === `#${name.toLowerCase()}`)
      await expect(page.getByRole('heading', { name, exact: true })).toBeInViewport({ ratio: 1 })
      await expect(links.getByText(name)).toHaveAttribute('aria-current', 'location')
      await expect(links.nth(0)).toBeInViewport({ ratio: 1 })
    }
  }
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeInViewport()
  await expect(page).toHaveURL(/tenant=/)
})

test('each checkbox is saved, and reverts when its call fails', async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const labels = [
    'Always check OTP when log in',
    "Email notification of terminals' status changes",
    "Terminals' status change",
    "Terminals' data usage",
  ]
  for (const label of labels) {
    await page.getByRole('checkbox', { name: label, exact: true }).click()
    await expect(page.getByRole('checkbox', { name: label, exact: true })).toBeEnabled()
  }
  await page.reload()
  for (const label of labels) await expect(page.getByRole('checkbox', { name: label, exact: true })).toBeChecked()
  await page.route('**/api/check-otp/', (route) => route.abort())
  const otp = page.getByRole('checkbox', { name: 'Always check OTP when log in' })
  await otp.click()
  await expect(page.getByText('The server cannot be reached. Please check your connection.')).toBeVisible()
  await expect(otp).toBeChecked()
})

test('a user sees their sessions and signs another one out', async ({ app, page, request }) => {
  const { email, password } = await app.openAsNewUser('/profile')
  const origin = new URL(page.url()).origin
  const other = await request.post(`${origin}/api/user/login/`, {
    headers: { 'x-tenant': 'dishboard' },
    data: { email, password },
  })
  const { refresh } = await other.json()
  await page.reload()
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(sessions.getByText('This session')).toHaveCount(1)
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click()
  await expect(page.getByText('The session is signed out.')).toBeVisible()
  const renewal = await request.post(`${origin}/api/token/refresh/`, {
    headers: { 'x-tenant': 'dishboard' },
    data: { refresh },
  })
  expect(renewal.status()).toBe(401)
})

test('the color scheme can be chosen, and the support button opens a mail draft', async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByRole('link', { name: 'Email Support for Assistance' })).toHaveAttribute(
    'href',
    'mailto:support@dishboard.example',
  )
})

test('axe finds no violations on the profile and on the page before it', async ({ app, page }) => {
  await app.openAsNewUser('/sms_consent')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessibleInDisplays(page, 'consent')
  await page.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await page.getByRole('radio', { name: 'Select All', exact: true }).check()
  await expectAccessibleInDisplays(page, 'profile')
})
