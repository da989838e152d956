import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { listOnline, TerminalPage } from './terminal-page.ts'

test('axe finds no violations on the page of a terminal, and it does not scroll sideways', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.terminal_data[0].activeAlerts = '["mast_not_vertical"]'
  })
  const [line] = await listOnline('microcom')
  await terminal.open(line?.nickname as string)
  await expect(terminal.chart('Obstruction')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Custom Name' }).click()
  await page.keyboard.type('!')
  await expectAccessibleInDisplays(page, 'with charts')
  await expect(page.getByRole('textbox', { name: 'Custom Name' })).toBeVisible()
  await page.getByRole('button', { name: 'Show Table' }).click()
  await expect(page.getByText('Latency').first()).toBeVisible()
  await expectAccessibleInDisplays(page, 'with the table')
})
