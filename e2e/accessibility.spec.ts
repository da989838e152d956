import { AxeBuilder } from '@axe-core/playwright'
import { expect, type House, test } from './house.ts'

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
    await house.openDashboard()
    const toMap = house.page.getByText('Map', { exact: true })
    if (await toMap.isVisible()) await toMap.click()
    await expect(house.page.getByRole('application', { name: 'Map' })).toBeVisible()
    if (await toMap.isVisible()) await house.page.getByText('List', { exact: true }).click()
  },
}

for (const [name, open] of Object.entries(screens)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      test(`${name} in ${colorScheme} at ${width} px has no fault that axe finds and no sideways scroll`, async ({
        house,
        page,
      }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 800 })
        await open(house)
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([])
        expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(width)
      })
    }
  }
}
