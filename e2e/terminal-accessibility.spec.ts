import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { listOnline, TerminalPage } from './terminal-page.ts'

for (const display of displays) {
  test(`a terminal in ${display.title} has no axe violations and does not scroll sideways`, async ({ app, page }) => {
    await setDisplay(page, display)
    const terminal = new TerminalPage(app)
    await terminal.patchDetail((detail) => {
      detail.terminal_data[0].activeAlerts = '["mast_not_vertical"]'
    })
    const [line] = await listOnline('microcom')
    await terminal.open(line?.nickname as string)
    await expect(terminal.chart('Obstruction')).toBeVisible()
    await page.getByRole('button', { name: 'Edit Custom Name' }).click()
    await page.keyboard.type('!')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show Table' }).click()
    await expect(page.getByText('Latency').first()).toBeVisible()
    await expectAccessible(page, 'with the table')
  })
}
