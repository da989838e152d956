import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { displayVariants } from './display-variants.ts'
import { readMail } from './outbox.ts'
import { listFilledActions } from './page-faults.ts'
import { createUser } from './users.ts'

// These tests read the newest code that was mailed to one user, so they must not run in parallel.
test.describe.configure({ mode: 'default' })

const wrongEmail = 'Please enter a valid email address.'
const wrongPassword = 'Password must be at least 8 characters, include upper & lower case, a number, and a symbol.'
const resetPassword = 'You should reset your password for security.'

const readStoredTokens = ({ page }: App) =>
  page.evaluate(() => [localStorage.getItem('access'), localStorage.getItem('refresh')] as const)

const cardHeight = async ({ page }: App) => (await page.locator('main form').boundingBox())?.height
const buttonTop = async ({ page }: App) =>
  (await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).boundingBox())?.y

for (const { tenant, company, viewport, title, tag } of displayVariants) {
  test.describe(title, () => {
    test.use({ viewport })

    test('invalid input is reported before anything is sent, and nothing moves', async ({ app, page }) => {
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
      await app.open('/login', tenant)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('SIGN IN')
      await expect(page).toHaveTitle(`Sign In · ${company}`)
      const height = await cardHeight(app)
      const top = await buttonTop(app)
      await app.typeCredentials('nobody@nodot', 'short')
      await expect(page.getByText(wrongEmail)).toBeVisible()
      await expect(page.getByText(wrongPassword)).toBeVisible()
      expect(await buttonTop(app)).toBe(top)
      await expect(page.getByLabel('Email')).toBeFocused()
      await app.typeCredentials('nobody@mail.example', 'No#hash-here1')
      await expect(page.getByText(wrongEmail)).toBeHidden()
      await expect(page.getByText(wrongPassword)).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()
      expect(sent).toEqual([])
      await app.typeCredentials(`nobody@${tenant}.example`, 'Wrong-pass-1')
      await expect(page.getByRole('alert')).toHaveText('The email address or the password is not right.')
      await page.getByRole('button', { name: 'Forgot Password?' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('FORGOT PASSWORD?')
      await expect(page.getByLabel('Email')).toHaveValue(`nobody@${tenant}.example`)
      await page.getByLabel('Email').fill('nobody')
      await page.getByRole('button', { name: 'Send a new password' }).click()
      await expect(page.getByText(wrongEmail)).toBeVisible()
      expect(await cardHeight(app)).toBe(height)
    })

    test('a user with OTP enabled signs in with a mailed code', { tag }, async ({ app, page }) => {
      await app.open('/login', tenant)
      await app.typeCredentials(`otp@${tenant}.example`, 'User-demo-1')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('ENTER VERIFICATION CODE')
      await page.getByRole('button', { name: 'Verify OTP' }).click()
      await expect(page.getByText('Please enter the six digits of the code.')).toBeVisible()
      const { text } = await readMail(tenant, `otp@${tenant}.example`, 'Your verification code')
      const code = /\b\d{6}\b/.exec(text)?.[0] as string
      // The sixth digit submits.
      await page.getByLabel('OTP').fill(code === '000000' ? '000001' : '000000')
      await expect(page.getByText('The code is not right, or it has expired.')).toBeVisible()
      expect(await readStoredTokens(app)).toEqual([null, null])
      await page.getByLabel('OTP').fill(code)
      await expect(page.getByRole('button', { name: 'Ben Okada, account' })).toBeVisible()
      await expect(page).toHaveURL((url) => url.pathname === '/')
    })

    test('a forgotten password is replaced by a mailed one that leads to the profile', { tag }, async ({
      app,
      page,
    }) => {
      const user = await createUser(tenant)
      await app.open('/login', tenant)
      await page.getByLabel('Email').fill(user.email)
      await page.getByRole('button', { name: 'Forgot Password?' }).click()
      await page.getByRole('button', { name: 'Send a new password' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('SIGN IN')
      await expect(page.getByText('A new password has been sent to your email.')).toBeVisible()
      await expect(page.getByLabel('Email')).toHaveValue(user.email)
      const { text } = await readMail(tenant, user.email, 'Your new password')
      const password = /^\s*(\S{8,})\s*$/m.exec(text)?.[1] as string
      await app.typeCredentials(user.email, password)
      await expect(page.getByRole('dialog')).toContainText(resetPassword)
      await page.getByRole('button', { name: 'OK' }).click()
      await expect(page).toHaveURL((url) => url.pathname === '/profile')
    })

    test('a new user is asked to reset the password and lands on the profile', async ({ app, page }) => {
      await app.open('/login', tenant)
      await app.typeCredentials(`new@${tenant}.example`, 'User-demo-1')
      await expect(page.getByRole('dialog')).toContainText(resetPassword)
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL((url) => url.pathname === '/profile')
      await expect(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible()
    })

    test('a deep link is offered after the sign-in, which still lands on the home page', async ({ app, page }) => {
      await app.open('/terminal/Some%20place', tenant)
      await expect(page).toHaveURL(/\/login/)
      await app.typeCredentials(`user@${tenant}.example`, 'User-demo-1')
      await expect(page).toHaveURL((url) => url.pathname === '/')
      await page.getByRole('button', { name: 'Continue to terminal Some place' }).click()
      await expect(page).toHaveURL((url) => url.pathname === '/terminal/Some%20place')
      await app.open('/', tenant)
      await expect(page.getByRole('button', { name: 'Tom Attla, account' })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Continue to/ })).toBeHidden()
    })
  })
}

test('a new user sees nothing but the change of the password until it is done, and then the page they wanted', {
  tag: '@core',
}, async ({ app, page }) => {
  const { email, password } = await createUser('dishboard')
  await app.open('/dashboard')
  await app.typeCredentials(email, password)
  await page.getByRole('button', { name: 'OK' }).click()
  await app.open('/terminaltable')
  await expect(page).toHaveURL((url) => url.pathname === '/profile')
  await expect(page.getByText(resetPassword)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeHidden()
  expect(await page.evaluate(listFilledActions)).toEqual(['Reset Password'])
  await page.getByLabel('Current Password').fill(password)
  await page.getByLabel('New Password').fill('Chosen-pass-2')
  await page.getByLabel('Confirm Password').fill('Chosen-pass-2')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(app.rows.first()).toBeVisible()
})

test('the link of a mail fills in the address of its recipient, and leads to its page after the sign-in', {
  tag: '@core',
}, async ({ page }) => {
  // The URL that the server redirects a mail's link to.
  await page.goto(`${addresses.url}/terminal/Some%20place?tenant=dishboard#for=user%40dishboard.example`)
  await expect(page).toHaveURL((url) => url.pathname === '/login' && url.hash === '')
  await expect(page.getByLabel('Email')).toHaveValue('user@dishboard.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('User-demo-1')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/terminal/Some%20place')
  await page.goto(`${addresses.url}/terminal/Other%20place?tenant=dishboard#for=user%40dishboard.example`)
  await expect(page).toHaveURL((url) => url.pathname === '/terminal/Other%20place' && url.hash === '')
})

test('a link of a mail that was made up is refused', async ({ page }) => {
  const forged = `/open/1.20000.${'A'.repeat(43)}/terminal/Some%20place?tenant=dishboard`
  const response = await page.goto(addresses.url + forged)
  expect(response?.status()).toBe(400)
  await expect(page.getByRole('heading', { name: 'This link is not valid.' })).toBeVisible()
})

test('the offer to continue can be dismissed', async ({ app, page }) => {
  await app.open('/dashboard')
  await app.typeCredentials('user@dishboard.example', 'User-demo-1')
  await expect(page.getByRole('button', { name: 'Continue to Dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect(page.getByRole('button', { name: 'Continue to Dashboard' })).toBeHidden()
})

test('a user signs in with email and password and sees the dashboard', { tag: '@core' }, async ({ app, page }) => {
  await app.signIn()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(app.rows.first()).toBeVisible()
  await expect(page).toHaveTitle('Dashboard · Dishboard')
  expect(await readStoredTokens(app)).not.toContain(null)
})

test('a wrong password and an unknown address get the same message, and no tokens are stored', {
  tag: '@core',
}, async ({ app, page }) => {
  await app.open('/login')
  await app.typeCredentials('south@dishboard.example', 'Wrong-pass-1')
  await expect(page.getByRole('alert')).not.toBeEmpty()
  const knownAddress = await page.getByRole('alert').innerText()
  await app.typeCredentials('nobody@dishboard.example', 'Wrong-pass-1')
  await expect(page.getByRole('alert')).toHaveText(knownAddress)
  expect(await readStoredTokens(app)).toEqual([null, null])
})

test('without a tenant, sign-in and password reset are blocked with a message', async ({ page, app }) => {
  const missing = 'Tenant information is missing. Please try again.'
  await app.open('/login', '')
  await app.typeCredentials('admin@dishboard.example', 'Admin-demo-1')
  await expect(page.getByRole('alert')).toHaveText(missing)
  await page.getByRole('button', { name: 'Forgot Password?' }).click()
  await page.getByRole('button', { name: 'Send a new password' }).click()
  await expect(page.getByRole('alert')).toHaveText(missing)
})

const responses: { name: string; status: number; body: string; shown: string }[] = [
  { name: "the server's message", status: 400, body: '{"message":"One.","error":"two"}', shown: 'One.' },
  { name: "the server's error without a message", status: 400, body: '{"error":"Two."}', shown: 'Two.' },
  {
    name: 'a general message without either',
    status: 502,
    body: '<html>',
    shown: 'An error occurred. Please try again.',
  },
  {
    name: 'that no token was received',
    status: 200,
    body: '{"newUser":false}',
    shown: 'Login succeeded but no token received. Please try again.',
  },
]

for (const { name, status, body, shown } of responses)
  test(`a failed sign-in shows ${name}`, async ({ app, page }) => {
    await page.route('**/api/user/login/', (route) => route.fulfill({ status, body, contentType: 'application/json' }))
    await app.open('/login')
    await app.typeCredentials('user@dishboard.example', 'User-demo-1')
    await expect(page.getByRole('alert')).toHaveText(shown)
    expect(await readStoredTokens(app)).toEqual([null, null])
  })

test('after too many tries the page counts down and sends nothing until the time is over', async ({ app, page }) => {
  await page.clock.install()
  const statuses: number[] = []
  page.on('response', (response) => response.url().endsWith('/user/login/') && statuses.push(response.status()))
  const tooMany = { status: 429, headers: { 'retry-after': '3600' }, json: { message: 'Too many tries.' } }
  await page.route('**/api/user/login/', (route) => route.fulfill(tooMany), { times: 1 })
  await app.open('/login')
  await app.typeCredentials('user@dishboard.example', 'User-demo-1')
  await expect(page.getByText(/^Too many tries\. You can try again in [\d:]+\.$/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign In' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Password' }).press('Enter')
  await page.clock.fastForward('01:00:00')
  await expect(page.getByText('You can try again now.')).toBeVisible()
  expect(statuses).toEqual([429])
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  expect(statuses).toEqual([429, 200])
})

test('a sign-in without a connection says that the server cannot be reached', async ({ app, page }) => {
  await page.route('**/api/user/login/', (route) => route.abort())
  await app.open('/login')
  await app.typeCredentials('user@dishboard.example', 'User-demo-1')
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached. Please check your connection.')
})

test('a verified code without a token is reported', async ({ app, page }) => {
  await page.route('**/api/user/login/', (route) => route.fulfill({ json: { requires2FA: true } }))
  await page.route('**/api/verify-otp/', (route) => route.fulfill({ json: {} }))
  await app.open('/login')
  await app.typeCredentials('user@dishboard.example', 'User-demo-1')
  const code = page.getByLabel('OTP')
  await code.pressSequentially('123456')
  await expect(page.getByRole('alert')).toHaveText('Verification succeeded but no token received.')
  // The boxes have not scrolled to the caret, which would hide the first digit.
  expect(await code.evaluate(({ parentElement }) => parentElement?.scrollLeft)).toBe(0)
})

for (const [access, refresh] of [
  ['token', 'refresh'],
  ['access_token', 'refresh_token'],
] as const)
  test(`tokens named ${access} and ${refresh} are accepted too`, async ({ app, page }) => {
    await page.route('**/api/user/login/', async (route) => {
      const body = await (await route.fetch()).json()
      await route.fulfill({ json: { [access]: body.access, [refresh]: body.refresh } })
    })
    await app.signIn('dishboard', 'user', 'User-demo-1')
    await expect(page.getByRole('button', { name: 'Tom Attla, account' })).toBeVisible()
    expect(await readStoredTokens(app)).not.toContain(null)
  })

test('a sign-in that fails verification stays on the sign-in page without tokens', async ({ app, page }) => {
  await page.route('**/api/verify-token/', (route) => route.fulfill({ status: 403, json: { message: 'Not you.' } }))
  await app.open('/login')
  await app.typeCredentials('user@dishboard.example', 'User-demo-1')
  await expect(page.getByRole('alert')).toHaveText('Not you.')
  await expect(page).toHaveURL(/\/login/)
  expect(await readStoredTokens(app)).toEqual([null, null])
})
