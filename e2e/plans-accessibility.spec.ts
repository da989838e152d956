import type { Locator } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

const open = async (app: App, path: string) => {
  await app.remember(await getAdminSession('microcom'))
  await app.page.goto(`${addresses.url}${path}${path.includes('?') ? '&' : '?'}tenant=microcom`)
}

const openPools = async (app: App) => {
  await open(app, '/plan-manager')
  const pool = app.page.getByText('NORTH-Villages-Homes').first()
  await expect(pool).toBeVisible()
  return pool
}

/** Each shows something and returns it. */
const screens: Record<string, (app: App) => Promise<Locator>> = {
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
    return app.page.getByText(/^Limit reached (once|\d+ times)$/)
  },
  'a new pool, with validation errors': async (app) => {
    await openPools(app)
    await app.page.getByRole('button', { name: '+ Create New' }).click()
    await app.page.getByRole('button', { name: 'Save Changes' }).click()
    return app.page.getByText('This field is required.')
  },
  'lines to add': async (app) => {
    await openPools(app)
    await app.page.getByRole('button', { name: '+ Create New' }).click()
    await app.page.getByRole('button', { name: '+ Add Service Lines' }).click()
    return app.page.getByRole('checkbox').first()
  },
  'the executive dashboard': async (app) => {
    await open(app, '/dev-dashboard')
    return app.page.getByRole('button', { name: /^View details/ }).first()
  },
  'its filter panel': async (app) => {
    await open(app, '/dev-dashboard?q=o')
    await app.page.getByRole('button', { name: '+ Add filter' }).click()
    return app.page.getByRole('checkbox').first()
  },
  'details of a plan': async (app) => {
    await open(app, '/dev-dashboard')
    await app.page
      .getByRole('button', { name: /^View details/ })
      .first()
      .click()
    return app.page.getByRole('dialog')
  },
}

for (const [name, show] of Object.entries(screens))
  test(`${name}: axe finds no violations, and nothing scrolls sideways`, async ({ app, page }) => {
    const shown = await show(app)
    await expect(shown).toBeVisible()
    await expectAccessibleInDisplays(page)
    // It did not close on the way.
    await expect(shown).toBeVisible()
  })
