import { type App, expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

/** Pages before and around the sign-in, each in a state with messages to check. */
const visits: Record<string, (app: App) => Promise<void>> = {
  'the start page of the demo': async (app) => {
    await app.open('/', '')
    await expect(app.page.getByRole('heading', { name: 'Welcome to the demo' })).toBeVisible()
  },
  'home of microcom': async (app) => {
    await app.open('/', 'microcom')
    await expect(app.page.getByRole('link', { name: 'Contact Sales' })).toBeVisible()
  },
  'home of company3': async (app) => {
    await app.open('/', 'company3')
    await expect(app.page.getByRole('button', { name: 'Help', exact: true })).toBeVisible()
  },
  'a refused sign-in': async (app) => {
    await app.open('/login', 'company3')
    await app.typeCredentials('nobody@company3.example', 'Wrong-pass-1')
    await expect(app.page.getByRole('alert')).not.toBeEmpty()
  },
  'the forgotten password': async (app) => {
    await app.open('/login', 'microcom')
    await app.page.getByRole('button', { name: 'Forgot Password?' }).click()
    await app.page.getByRole('button', { name: 'Send a new password' }).click()
    await expect(app.page.getByText('Please enter a valid email address.')).toBeVisible()
  },
  'the code': async (app) => {
    await app.page.route('**/api/user/login/', (route) => route.fulfill({ json: { requires2FA: true } }))
    await app.open('/login', 'microcom')
    await app.typeCredentials('otp@microcom.example', 'User-demo-1')
    await expect(app.page.getByRole('button', { name: 'Verify OTP' })).toBeVisible()
    await app.page.unroute('**/api/user/login/')
  },
  'support with an answer': async (app) => {
    await app.open('/support', 'microcom')
    await app.page.getByLabel('Your question').fill('Who painted the Mona Lisa?')
    await app.page.getByRole('button', { name: 'Ask' }).click()
    await expect(app.page.getByRole('button', { name: 'Open Ticket' })).toBeVisible()
  },
  'the ticket form': async (app) => {
    await app.open('/', 'microcom')
    await app.page.getByRole('button', { name: 'Open Ticket' }).click()
    await app.page.getByRole('button', { name: 'Send' }).click()
    await expect(app.page.getByText('Please enter a valid email address.')).toBeVisible()
  },
  'nothing found': async (app) => {
    await app.open('/no/such/page', 'microcom')
    await expect(app.page.getByText('There is no page at this address.')).toBeVisible()
  },
  forbidden: async (app) => {
    await app.open('/forbidden', 'company3')
    await expect(app.page.getByText('You don’t have permission to view this page.')).toBeVisible()
  },
  'the question before the log-out': async (app) => {
    await app.remember(await getAdminSession('company3'))
    await app.open('/', 'company3')
    await app.page.getByRole('button', { name: 'Dana Whitfield, account' }).click()
    await app.page.getByRole('menuitem', { name: 'Log Out' }).click()
    await expect(app.page.getByText('Are you sure you want to log out?')).toBeVisible()
  },
}

for (const [name, visit] of Object.entries(visits))
  test(`${name} has no axe violations`, async ({ app, page }) => {
    await visit(app)
    await expectAccessibleInDisplays(page)
  })
