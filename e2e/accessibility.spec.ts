import { type App, expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { openTable } from './known-tenant.ts'

const screens: Record<string, (app: App) => Promise<void>> = {
  home: async (app) => {
    await app.open('/')
    await expect(app.page.getByRole('link', { name: 'Client Portal & Performance Dashboard' })).toBeVisible()
  },
  login: async (app) => {
    await app.open('/login')
    await app.typeCredentials('nobody', 'short')
    await expect(app.page.getByText('Please enter a valid email address.')).toBeVisible()
  },
  support: async (app) => {
    await app.open('/support')
    await expect(app.page.getByRole('heading', { name: 'Support' })).toBeVisible()
  },
  dashboard: async (app) => {
    await app.openDashboard('known')
    await expect(app.page.getByRole('application', { name: 'Map' })).toBeVisible()
  },
  'the terminal table, its columns being chosen': async (app) => {
    await openTable(app)
    await app.page.getByRole('button', { name: 'Columns' }).click()
    await expect(app.page.getByRole('checkbox', { name: 'KitNumber' })).toBeVisible()
  },
  'the terminal table, a value being edited': async (app) => {
    await openTable(app)
    await app.page.getByRole('searchbox').fill('post 1')
    await app.page.getByRole('button', { name: /Edit Metadata 1 of Post 1$/ }).click()
    await app.page.getByRole('textbox', { name: 'Metadata 1 of Post 1' }).fill('#')
    await expect(app.page.getByText('Only letters, digits, and spaces are allowed.')).toBeVisible()
  },
}

for (const [name, open] of Object.entries(screens)) {
  test(`${name}: axe finds no violations in light and dark, wide and narrow, and nothing scrolls sideways`, async ({
    app,
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(app)
    await expectAccessibleInDisplays(page)
  })
}
