import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { readMail } from './outbox.ts'

test('without a tenant, the demo shows its resellers and users and signs in with one click', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto(`${addresses.url}/`)
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to the demo' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Dishboard', 'Microcom', 'Company Three'])
  const microcom = page.getByRole('region', { name: 'Microcom' })
  await expect(microcom).toContainText('12 terminals')
  await microcom.getByRole('button', { name: 'Administrator' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard' && url.searchParams.get('tenant') === 'microcom')
  await expect(page.getByRole('button', { name: 'account' })).toBeVisible()
  await expect(page).toHaveTitle('Dashboard · Microcom')
  await expect(page.getByRole('list', { name: 'Terminals' }).getByRole('link')).toHaveCount(12)
})

test('a user who needs a code continues with the one from the outbox', async ({ page }) => {
  await page.goto(`${addresses.url}/`)
  await page.getByRole('region', { name: 'Company Three' }).getByRole('button', { name: 'mailed code' }).click()
  await expect(page.getByRole('heading', { name: 'ENTER VERIFICATION CODE' })).toBeVisible()
  const mail = await readMail('company3', 'otp@company3.example', 'Your verification code')
  await page.getByLabel('OTP').fill(/\b\d{6}\b/.exec(mail.text)?.[0] as string)
  await expect(page.getByRole('button', { name: 'account' })).toBeVisible()
})

test('a new user is asked to set a password', async ({ page }) => {
  await page.goto(`${addresses.url}/`)
  await page.getByRole('region', { name: 'Dishboard' }).getByRole('button', { name: 'First sign-in' }).click()
  await expect(page.getByText('You should reset your password for security.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/profile')
})

test('a refused sign-in is explained beside the user', async ({ page }) => {
  await page.route('**/api/user/login/', (route) =>
    route.fulfill({ status: 401, json: { error: 'unauthorized', message: 'The password was changed.' } }),
  )
  await page.goto(`${addresses.url}/`)
  await page.getByRole('region', { name: 'Dishboard' }).getByRole('button', { name: 'Administrator' }).click()
  await expect(page.getByRole('alert')).toHaveText('The password was changed.')
  await page.unroute('**/api/user/login/')
  await page.getByRole('region', { name: 'Dishboard' }).getByRole('button', { name: 'Administrator' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard')
})

test('says how much of the history is written', async ({ page }) => {
  await page.route('**/api/demo/', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), historyShare: 0.345 } })
  })
  await page.goto(`${addresses.url}/`)
  await expect(page.getByRole('main')).toContainText(
    '60 days of history are being written for the charts: 34.5% so far.',
  )
})

test('before the inventory is loaded, no number of terminals is shown', async ({ page }) => {
  await page.route('**/api/demo/', async (route) => {
    const response = await route.fetch()
    const { tenants, ...others } = await response.json()
    const unread = tenants.map((tenant: { users: object[] }) => ({
      ...tenant,
      terminals: 0,
      offline: 0,
      users: tenant.users.map((user) => ({ ...user, terminals: 0 })),
    }))
    await route.fulfill({ response, json: { ...others, tenants: unread } })
  })
  await page.goto(`${addresses.url}/`)
  await expect(page.getByText('The fleet is being read')).toHaveCount(3)
  await expect(page.getByText(/\b0 (?:terminals|offline)/)).toHaveCount(0)
})

test('where there is no demo, the same address says how to reach a portal', async ({ page }) => {
  await page.route('**/api/demo/', (route) =>
    route.fulfill({ status: 404, json: { error: 'not_found', message: 'Not found.' } }),
  )
  await page.goto(`${addresses.url}/`)
  await expect(page.getByRole('heading', { level: 1, name: 'Every portal has its own address' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Please open the address that your provider gave you.')
})
