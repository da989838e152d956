import { axeFaults } from './axe.ts'
import { expect, type House, test } from './house.ts'
import { openTable } from './known-house.ts'

const screens: Record<string, (house: House) => Promise<void>> = {
  home: async (house) => {
    await house.open('/')
    await expect(house.page.getByRole('link', { name: 'Client Portal & Performance Dashboard' })).toBeVisible()
  },
  login: async (house) => {
    await house.open('/login')
    await house.typeCredentials('nobody', 'short')
    await expect(house.page.getByText('Please enter a valid email address.')).toBeVisible()
  },
  support: async (house) => {
    await house.open('/support')
    await expect(house.page.getByRole('heading', { name: 'Support' })).toBeVisible()
  },
  dashboard: async (house) => {
    await house.openDashboard('known')
    await expect(house.page.getByRole('application', { name: 'Map' })).toBeVisible()
  },
  'the terminal table, its columns being chosen': async (house) => {
    await openTable(house)
    await house.page.getByRole('button', { name: 'Columns' }).click()
    await expect(house.page.getByRole('checkbox', { name: 'KitNumber' })).toBeVisible()
  },
  'the terminal table, a value being edited': async (house) => {
    await openTable(house)
    await house.page.getByRole('searchbox').fill('post 1')
    await house.page.getByRole('button', { name: /Edit Metadata 1 of Post 1$/ }).click()
    await house.page.getByRole('textbox', { name: 'Metadata 1 of Post 1' }).fill('#')
    await expect(house.page.getByText('Only letters, digits, and spaces are allowed.')).toBeVisible()
  },
}

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
)

for (const [name, open] of Object.entries(screens)) {
  test(`${name}: axe finds no fault in light and dark, wide and narrow, and nothing scrolls sideways`, async ({
    house,
    page,
  }) => {
    test.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(house)
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      // What lies half under the head of a scrolled page counts as too small to press.
      await page.evaluate(() => window.scrollTo(0, 0))
      expect.soft(await axeFaults(page), `${colorScheme} at ${width} px`).toEqual([])
      const scrollWidth = await page.locator('html').evaluate((html) => html.scrollWidth)
      expect.soft(scrollWidth, `${colorScheme} at ${width} px`).toBeLessThanOrEqual(width)
    }
  })
}
