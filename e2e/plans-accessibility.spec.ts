import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { expectAccessible, setDisplay } from './axe.ts'
import { widths } from './display-variants.ts'
import { getAdminSession } from './users.ts'

const open = async (app: App, path: string) => {
  await app.remember(await getAdminSession('microcom'))
  await app.page.goto(`${addresses.url}${path}${path.includes('?') ? '&' : '?'}tenant=microcom`)
}

const openPools = async (app: App) => {
  await open(app, '/plan-manager')
  await expect(app.page.getByText('NORTH-Villages-Homes').first()).toBeVisible()
}

const screens: Record<string, (app: App) => Promise<void>> = {
  pools: openPools,
  'a pool over its limit': async (app) => {
    await openPools(app)
    await app.page.getByRole('button', { name: /^Edit pool .*NORTH-Villages-Homes/ }).click()
    await expect(app.page.getByText(/^Limit reached (once|\d+ times)$/)).toBeVisible()
    await app.page.getByRole('button', { name: '+ Add Top Up' }).click()
    await app.page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await app.page.getByText(/causes? \d+% of it/).click()
  },
  'a new pool, with validation errors': async (app) => {
    await openPools(app)
    await app.page.getByRole('button', { name: '+ Create New' }).click()
    await app.page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(app.page.getByText('This field is required.')).toBeVisible()
  },
  'lines to add': async (app) => {
    await openPools(app)
    await app.page.getByRole('button', { name: '+ Create New' }).click()
    await app.page.getByRole('button', { name: '+ Add Service Lines' }).click()
    await expect(app.page.getByRole('checkbox').first()).toBeVisible()
  },
  'the executive dashboard': async (app) => {
    await open(app, '/dev-dashboard')
    await expect(app.page.getByRole('button', { name: /^View details/ }).first()).toBeVisible()
  },
  'its filter panel': async (app) => {
    await open(app, '/dev-dashboard?q=o')
    await app.page.getByRole('button', { name: '+ Add filter' }).click()
    await expect(app.page.getByRole('checkbox').first()).toBeVisible()
  },
  'details of a plan': async (app) => {
    await open(app, '/dev-dashboard')
    await app.page
      .getByRole('button', { name: /^View details/ })
      .first()
      .click()
    await expect(app.page.getByRole('dialog')).toBeVisible()
  },
}

for (const [name, show] of Object.entries(screens)) {
  for (const width of widths) {
    test(`${name} at ${width} px has no axe violations in light and dark and does not scroll sideways`, async ({
      app,
      page,
    }) => {
      await setDisplay(page, { colorScheme: 'light', width })
      await show(app)
      for (const colorScheme of ['light', 'dark'] as const) {
        await setDisplay(page, { colorScheme, width })
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
        await expectAccessible(page, colorScheme)
      }
    })
  }
}
