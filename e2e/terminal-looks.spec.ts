import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './house.ts'
import { listOnline, TerminalPage } from './terminal-page.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 360]) {
    test(`a terminal in ${colorScheme} at ${width} px has no fault that axe finds and no sideways scroll`, async ({
      house,
      page,
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      const terminal = new TerminalPage(house)
      await terminal.amend((detail) => {
        detail.terminal_data[0].activeAlerts = '["mast_not_vertical"]'
      })
      const [line] = await listOnline('microcom')
      await terminal.open(line?.nickname as string)
      await expect(terminal.chart('Obstruction')).toBeVisible()
      await page.getByRole('button', { name: 'Edit Custom Name' }).click()
      await page.keyboard.type('!')
      const faults = async () => {
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))
      }
      expect(await faults()).toEqual([])
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(width)
      await page.getByRole('button', { name: 'Show Table' }).click()
      await expect(page.getByText('Latency').first()).toBeVisible()
      expect(await faults()).toEqual([])
    })
  }
}
