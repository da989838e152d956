import { expect, test } from './app.ts'
import { findAxeViolations } from './axe.ts'
import { listOnline, TerminalPage } from './terminal-page.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 360]) {
    test(`a terminal in ${colorScheme} at ${width} px has no axe violations and does not scroll sideways`, async ({
      app,
      page,
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      const terminal = new TerminalPage(app)
      await terminal.patchDetail((detail) => {
        detail.terminal_data[0].activeAlerts = '["mast_not_vertical"]'
      })
      const [line] = await listOnline('microcom')
      await terminal.open(line?.nickname as string)
      await expect(terminal.chart('Obstruction')).toBeVisible()
      await page.getByRole('button', { name: 'Edit Custom Name' }).click()
      await page.keyboard.type('!')
      expect(await findAxeViolations(page)).toEqual([])
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(width)
      await page.getByRole('button', { name: 'Show Table' }).click()
      await expect(page.getByText('Latency').first()).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])
    })
  }
}
