import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { getAdminSession } from './users.ts'

test('rows are selected by keyboard and in ranges, and their metadata is set, with preview and undo', async ({
  app,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/terminaltable')
  const boxes = page.getByRole('checkbox', { name: /^Select / })
  await expect(boxes.first()).toBeVisible()
  await boxes.nth(0).focus()
  await page.keyboard.press('Space')
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected terminals' })
  await expect(bar).toContainText('4 terminals selected')
  await bar.getByRole('button', { name: /^Select all/ }).click()
  await expect(bar).not.toContainText('4 terminals selected')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar).toHaveCount(0)
  await boxes.nth(0).click()
  await boxes.nth(1).click({ modifiers: ['Shift'] })
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'CSV of selected' }).click()
  expect((await download).suggestedFilename()).toBe('terminal-table.csv')

  await bar.getByRole('button', { name: 'Set metadata…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set metadata' })
  await dialog.getByLabel('Field').selectOption('metadata3')
  await dialog.getByLabel('Value').fill('a;b')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('Only letters, digits, and spaces are allowed.')).toBeVisible()
  await dialog.getByLabel('Value').fill('Bulk harbor')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('2 terminals will change.')).toBeVisible()
  await expect(dialog.getByRole('listitem').first()).toContainText('→ Bulk harbor')
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, `preview, ${display.title}`)
  }
  await dialog.getByRole('button', { name: 'Change 2 terminals' }).click()
  await expect(dialog.getByText('2 terminals changed.')).toBeVisible()
  await expect(page.getByText('Bulk harbor').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('2 terminals restored.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  for (const display of displays) {
    await setDisplay(page, display)
    await expect(bar).toBeVisible()
    await expectAccessible(page, `selection, ${display.title}`)
  }
})
