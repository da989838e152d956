import { axeFaults } from './axe.ts'
import { expect, type House, test } from './house.ts'
import { widths } from './looks.ts'
import { administratorOf } from './people.ts'

/** What a visitor meets before and around the sign-in, each in a state with something to read. */
const visits: Record<string, (house: House) => Promise<void>> = {
  'home of microcom': async (house) => {
    await house.open('/', 'microcom')
    await expect(house.page.getByRole('link', { name: 'Contact Sales' })).toBeVisible()
  },
  'home of company3': async (house) => {
    await house.open('/', 'company3')
    await expect(house.page.getByRole('button', { name: 'Help', exact: true })).toBeVisible()
  },
  'a refused sign-in': async (house) => {
    await house.open('/login', 'company3')
    await house.typeCredentials('nobody@company3.example', 'Wrong-pass-1')
    await expect(house.page.getByRole('alert')).not.toBeEmpty()
  },
  'the forgotten password': async (house) => {
    await house.open('/login', 'microcom')
    await house.page.getByRole('button', { name: 'Forgot Password?' }).click()
    await house.page.getByRole('button', { name: 'Send a new password' }).click()
    await expect(house.page.getByText('Please enter a valid email address.')).toBeVisible()
  },
  'the code': async (house) => {
    await house.page.route('**/api/user/login/', (route) => route.fulfill({ json: { requires2FA: true } }))
    await house.open('/login', 'microcom')
    await house.typeCredentials('otp@microcom.example', 'User-demo-1')
    await expect(house.page.getByRole('button', { name: 'Verify OTP' })).toBeVisible()
    await house.page.unroute('**/api/user/login/')
  },
  'support with an answer': async (house) => {
    await house.open('/support', 'microcom')
    await house.page.getByLabel('Your question').fill('Who painted the Mona Lisa?')
    await house.page.getByRole('button', { name: 'Ask' }).click()
    await expect(house.page.getByRole('button', { name: 'Open Ticket' })).toBeVisible()
  },
  'the ticket form': async (house) => {
    await house.open('/', 'microcom')
    await house.page.getByRole('button', { name: 'Open Ticket' }).click()
    await house.page.getByRole('button', { name: 'Send' }).click()
    await expect(house.page.getByText('Please enter a valid email address.')).toBeVisible()
  },
  'nothing found': async (house) => {
    await house.open('/no/such/page', 'microcom')
    await expect(house.page.getByText('There is no page at this address.')).toBeVisible()
  },
  forbidden: async (house) => {
    await house.open('/forbidden', 'company3')
    await expect(house.page.getByText('You don’t have permission to view this page.')).toBeVisible()
  },
  'the question before the log-out': async (house) => {
    await house.remember(await administratorOf('company3'))
    await house.open('/', 'company3')
    await house.page.getByRole('button', { name: 'Admin Demo, account' }).click()
    await house.page.getByRole('menuitem', { name: 'Log Out' }).click()
    await expect(house.page.getByText('Are you sure you want to log out?')).toBeVisible()
  },
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of widths) {
    test(`the way in has no fault that axe finds, in ${colorScheme} at ${width} px`, async ({ house, page }) => {
      test.setTimeout(240_000)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      const faults: Record<string, unknown> = {}
      for (const [name, visit] of Object.entries(visits)) {
        await visit(house)
        const found = await axeFaults(page)
        if (found.length > 0) faults[name] = found
        const wide = await page.locator('html').evaluate((html) => html.scrollWidth)
        if (wide > width) faults[`${name}, sideways`] = wide
      }
      expect(faults).toEqual({})
    })
  }
}
