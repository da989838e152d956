import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { addresses } from './addresses.ts'
import { App, expect, press, test } from './app.ts'
import { displays, expectAccessible, expectAccessibleInDisplays, setDisplay } from './axe.ts'
import { listCutTexts, listFilledActions } from './page-faults.ts'
import { createActiveUser, getAdminSession } from './users.ts'

const STEP_MS = 30_000
const REFUSAL = { status: 403, json: { error: 'reauthenticate', message: 'Please confirm that it is you.' } }

/** A code of the current time step or of a later one; the server accepts the next one too. */
const generate = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS })

/** Adds an app on the profile page. Returns its secret and the recovery codes. */
const addApp = async (page: Page) => {
  const card = page.getByRole('region', { name: 'Second factors' })
  await card.getByRole('button', { name: 'Add App' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add App' })
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  const secret = (await dialog.getByLabel('Key', { exact: true }).innerText()).replaceAll(' ', '')
  await dialog.getByLabel('Code', { exact: true }).fill(generate(secret))
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const recovery = await codes.getByRole('listitem').allInnerTexts()
  await codes.getByRole('button', { name: 'Done' }).click()
  await expect(card.getByText('10 of 10 left,')).toBeVisible()
  return { secret, recovery }
}

const signInAgain = async (app: App, email: string, password: string) => {
  await app.page.evaluate(() => localStorage.clear())
  await app.open('/login')
  await app.typeCredentials(email, password)
  await expect(app.page.getByRole('heading', { level: 1 })).toHaveText('ENTER VERIFICATION CODE')
}

const account = /account$/

/** Waits for the page after sign-in, not only its frame, so that the sign-in is complete. */
const expectSignedIn = async (page: Page) => {
  await expect(page).not.toHaveURL(/\/login/)
  await expect(page.getByRole('button', { name: account })).toBeVisible()
}

test('an authenticator app is added, required at sign-in, complemented by recovery codes, and removed', async ({
  app,
  page,
}) => {
  const { email, password } = await app.openAsNewUser('/profile')
  const { secret, recovery } = await addApp(page)
  await signInAgain(app, email, password)
  await page.getByLabel('OTP').fill('00000')
  await page.getByRole('button', { name: 'Verify OTP' }).click()
  await expect(page.getByText('Please enter the six digits of the code.')).toBeVisible()
  await page.getByLabel('OTP').fill(generate(secret, 100))
  await expect(page.getByRole('alert').filter({ hasText: 'The code is not right, or it has expired.' })).toBeVisible()
  // As pasted after the wrong code: with a space, and without pressing a button.
  const code = generate(secret, 1)
  await page.getByLabel('OTP').press('End')
  await page.keyboard.insertText(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expectSignedIn(page)

  await signInAgain(app, email, password)
  await page.getByLabel('OTP').fill(code)
  await expect(page.getByRole('alert').filter({ hasText: 'The code is not right, or it has expired.' })).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery[0] as string)
  await page.getByRole('button', { name: 'Verify OTP' }).click()
  await expectSignedIn(page)

  await app.open('/profile')
  const card = page.getByRole('region', { name: 'Second factors' })
  await expect(card.getByText('9 of 10 left,')).toBeVisible()
  await card.getByRole('button', { name: 'Remove App' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(card.getByRole('button', { name: 'Add App' })).toBeVisible()
})

test('second factors: axe finds no violations in light and dark, wide and narrow', async ({ app, page }) => {
  const { email, password } = await app.openAsNewUser('/profile')
  await page.getByRole('button', { name: 'Add App' }).click()
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expectAccessibleInDisplays(page, 'the dialog')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await addApp(page)
  await expectAccessibleInDisplays(page, 'the profile')
  // A sign-in counts as confirmation for some minutes, so the server's later refusal is simulated.
  await page.route('**/api/my-factors/recovery-codes/', (route) => route.fulfill(REFUSAL), { times: 1 })
  await page.getByRole('button', { name: 'New Codes' }).click()
  await page.getByRole('dialog', { name: 'New Codes' }).getByRole('button', { name: 'Create New Codes' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(confirmation.getByLabel('Code of your authenticator app')).toBeVisible()
  await expectAccessibleInDisplays(page, 'the confirmation')
  await confirmation.getByRole('button', { name: 'your password' }).click()
  await confirmation.getByLabel('Your password', { exact: true }).fill(password)
  await confirmation.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'Done' }).click()
  await signInAgain(app, email, password)
  await page.getByRole('button', { name: 'Verify OTP' }).click()
  await expectAccessibleInDisplays(page, 'the code')
})

/** A platform authenticator of the browser that confirms whatever it is asked. */
const addAuthenticator = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added, signs in alone and after the password, and is removed', async ({ page }) => {
  // Browsers support passkeys for host names only.
  const url = addresses.url.replace('127.0.0.1', 'localhost')
  await addAuthenticator(page)
  // The virtual authenticator would respond as soon as the sign-in page offers passkeys in autofill.
  await page.addInitScript(() =>
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false }),
  )
  const open = (path: string) => page.goto(`${url}${path}?tenant=dishboard`)
  const signOut = async () => {
    await page.evaluate(() => localStorage.clear())
    await open('/login')
  }
  const signedIn = page.getByRole('button', { name: account })
  const { email, password, session } = await createActiveUser('dishboard')
  const name = 'Laptop'.repeat(10)
  await open('/support')
  await page.evaluate(({ access, refresh }) => {
    localStorage.setItem('access', access)
    localStorage.setItem('refresh', refresh)
  }, session)

  await open('/profile')
  const card = page.getByRole('region', { name: 'Second factors' })
  await press(card.getByRole('button', { name: 'Add Passkey' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await press(page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'Done' }))
  await expect(card.getByText(name)).toBeVisible()
  // The name leaves room for the buttons beside it.
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(listCutTexts), `${width} px`).toEqual([])
  }

  await signOut()
  await press(page.getByRole('button', { name: 'Sign in with a passkey' }))
  await expect(signedIn).toBeVisible()

  await signOut()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('textbox', { name: 'Password' }).press('Enter')
  await press(page.getByRole('button', { name: 'Use my passkey' }))
  await expect(signedIn).toBeVisible()

  await open('/profile')
  // As after some minutes, when the sign-in does not count as a confirmation any more.
  await page.route('**/api/my-factors/passkeys/*/', (route) => route.fulfill(REFUSAL), { times: 1 })
  await press(card.getByRole('button', { name: `Remove ${name}` }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }))
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(confirmation.getByRole('button', { name: 'your password' })).toBeVisible()
  await press(confirmation.getByRole('button', { name: 'Use my passkey' }))
  await expect(page.getByText(`The passkey “${name}” has been removed.`)).toBeVisible()
  await signOut()
  await press(page.getByRole('button', { name: 'Sign in with a passkey' }))
  await expect(page.getByRole('alert')).toHaveText('The passkey was not accepted.')
})

test('a browser that fills in passkeys signs in with the one that is chosen there', async ({ page }) => {
  const url = addresses.url.replace('127.0.0.1', 'localhost')
  await addAuthenticator(page)
  // Headless Chromium has no autofill list. This stands in for it: a passkey is selected when the test says
  // so.
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => true })
    navigator.credentials.get = async ({ mediation, ...options }: CredentialRequestOptions = {}) => {
      if ((mediation as string) === 'conditional')
        await new Promise((choose, fail) => {
          document.addEventListener('choose-passkey', choose, { once: true })
          options.signal?.addEventListener('abort', () => fail(options.signal?.reason))
        })
      return get(options)
    }
  })
  const { session } = await createActiveUser('dishboard')
  await page.goto(`${url}/support?tenant=dishboard`)
  await page.evaluate(({ access, refresh }) => {
    localStorage.setItem('access', access)
    localStorage.setItem('refresh', refresh)
  }, session)
  await page.goto(`${url}/profile?tenant=dishboard`)
  await page.getByRole('button', { name: 'Add Passkey' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).press('Enter')
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'Done' }).click()
  await page.evaluate(() => localStorage.clear())

  const isOffered = page.waitForResponse((response) => response.url().endsWith('/api/passkey-sign-in/options/'))
  await page.goto(`${url}/login?tenant=dishboard`)
  await isOffered
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  await expect(page.getByRole('alert')).toBeEmpty()
  // The response may arrive before the page waits for a selection.
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('choose-passkey')))
    await expect(page.getByRole('button', { name: account })).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

test('where a second factor is required, a user adds one before anything else', async ({ app, page, browser }) => {
  const tenant = 'guarded'
  await app.remember(await getAdminSession(tenant))
  await app.open('/settings', tenant)
  const users = page.getByRole('checkbox', { name: 'Users' })
  await users.check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The settings have been saved.')).toBeVisible()
  await page.reload()
  await expect(users).toBeChecked()

  const { email, password } = await createActiveUser(tenant)
  const visitor = new App(await (await browser.newContext()).newPage())
  await visitor.open('/login', tenant)
  await visitor.typeCredentials(email, password)
  await expect(visitor.page).toHaveURL((url) => url.pathname === '/profile')
  await expect(visitor.page.getByText('Please add a second factor.')).toBeVisible()
  await visitor.open('/dashboard', tenant)
  await expect(visitor.page).toHaveURL((url) => url.pathname === '/profile')
  await expect(visitor.page.getByRole('heading', { name: 'Notifications' })).toBeHidden()
  for (const display of displays) {
    await setDisplay(visitor.page, display)
    await expectAccessible(visitor.page, `the first factor, ${display.title}`)
    expect(await visitor.page.evaluate(listFilledActions)).toHaveLength(1)
  }
  await addApp(visitor.page)
  await expect(visitor.page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await visitor.page.context().close()
})
