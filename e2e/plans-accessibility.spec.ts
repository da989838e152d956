import { addresses } from './addresses.ts'
import { axeFaults } from './axe.ts'
import { expect, type House, test } from './house.ts'
import { administratorOf } from './people.ts'

const open = async (house: House, path: string) => {
  await house.remember(await administratorOf('microcom'))
  await house.page.goto(`${addresses.url}${path}${path.includes('?') ? '&' : '?'}tenant=microcom`)
}

const openPools = async (house: House) => {
  await open(house, '/plan-manager')
  await expect(house.page.getByText('NORTH-Villages-Homes').first()).toBeVisible()
}

const screens: Record<string, (house: House) => Promise<void>> = {
  pools: openPools,
  'a pool over its limit': async (house) => {
    await openPools(house)
    await house.page.getByRole('button', { name: /^Edit pool .*NORTH-Villages-Homes/ }).click()
    await expect(house.page.getByText(/^Limit reached (once|\d+ times)$/)).toBeVisible()
    await house.page.getByRole('button', { name: '+ Add Top Up' }).click()
    await house.page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await house.page.getByText(/causes? \d+ % of it/).click()
  },
  'a new pool, with faults': async (house) => {
    await openPools(house)
    await house.page.getByRole('button', { name: '+ Create New' }).click()
    await house.page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(house.page.getByText('This field is required.')).toBeVisible()
  },
  'lines to add': async (house) => {
    await openPools(house)
    await house.page.getByRole('button', { name: '+ Create New' }).click()
    await house.page.getByRole('button', { name: '+ Add Service Lines' }).click()
    await expect(house.page.getByRole('checkbox').first()).toBeVisible()
  },
  'the executive dashboard': async (house) => {
    await open(house, '/dev-dashboard')
    await expect(house.page.getByRole('button', { name: /^View details/ }).first()).toBeVisible()
  },
  'its filter panel': async (house) => {
    await open(house, '/dev-dashboard?q=o')
    await house.page.getByRole('button', { name: '+ Add filter' }).click()
    await expect(house.page.getByRole('checkbox').first()).toBeVisible()
  },
  'details of a plan': async (house) => {
    await open(house, '/dev-dashboard')
    await house.page
      .getByRole('button', { name: /^View details/ })
      .first()
      .click()
    await expect(house.page.getByRole('dialog')).toBeVisible()
  },
}

for (const [name, show] of Object.entries(screens)) {
  for (const width of [1280, 360]) {
    test(`${name} at ${width} px has no fault that axe finds, in light and dark, and no sideways scroll`, async ({
      house,
      page,
    }) => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await show(house)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
        // What lies behind a dialog cannot be reached, and looks smaller than it is where it is covered.
        const behind = (await page.getByRole('dialog').count()) ? { exclude: 'main' } : {}
        expect(await axeFaults(page, behind)).toEqual([])
      }
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(width)
    })
  }
}
