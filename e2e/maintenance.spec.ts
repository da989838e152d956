import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { listCutTexts } from './page-faults.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'

test('an administrator plans maintenance, which the terminal shows until it is ended', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/maintenance', tenant)
  await page.getByRole('button', { name: 'Plan maintenance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  await dialog.getByRole('button', { name: 'Plan', exact: true }).click()
  await expect(dialog.getByText('This field is required.').first()).toBeVisible()
  await dialog.getByLabel('Name').fill('New mast')
  await dialog.getByRole('combobox', { name: 'Terminal' }).fill('Bethel 5')
  await dialog.getByLabel('Repeats').selectOption('weekly')
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await dialog.getByLabel(day).check()
  await dialog.getByLabel('From').fill('2026-01-01')
  await dialog.getByLabel('Begins at').fill('00:00')
  // Longer than a day, because the one on which summer time ends has 25 hours.
  await dialog.getByLabel('Minutes').fill('1500')
  await dialog.getByRole('button', { name: 'Plan', exact: true }).click()
  const row = page.getByRole('row', { name: 'New mast' })
  await expect(row).toContainText('Running')
  await expect(row).toContainText('Every day at 00:00 for 1 d 1 h')
  expect(await page.evaluate(listCutTexts)).toEqual([])

  await app.open('/terminal/Bethel%205', tenant)
  const banner = page.getByRole('region', { name: 'Maintenance: New mast' })
  await expect(banner).toContainText(/Maintenance until .*\d\d:\d\d/)
  await banner.getByRole('link').click()
  await row.getByRole('button', { name: 'End' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await expect(row).toHaveCount(0)
  await page.getByText('Past', { exact: true }).click()
  await expect(row).toContainText('Past')
})

test('an area is chosen on a map, by a click or by keys', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/maintenance', tenant)
  await page.getByRole('button', { name: 'Plan maintenance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  await dialog.getByLabel('Name').fill('Storm on the coast')
  await dialog.getByLabel('What is maintained').selectOption('area')
  const latitude = dialog.getByLabel('Latitude')
  const map = dialog.getByRole('application', { name: 'Map' })
  await expect(map).toHaveAttribute('data-markers', /[1-9]/)
  await map.click({ position: { x: 60, y: 60 } })
  await expect(latitude).not.toHaveValue('')
  const clicked = await latitude.inputValue()
  await map.focus()
  await page.keyboard.press('ArrowDown')
  await dialog.getByRole('button', { name: 'Use the middle of the map' }).click()
  await expect(latitude).not.toHaveValue(clicked)
  await dialog.getByRole('button', { name: 'Plan', exact: true }).click()
  await expect(page.getByRole('row', { name: 'Storm on the coast' })).toContainText(/within 50 km/i)
})

test('axe finds no violations on the list of maintenance and its form', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession(tenant))
  await app.open('/maintenance', tenant)
  const button = page.getByRole('button', { name: 'Plan maintenance' })
  await expect(button).toBeVisible()
  await expectAccessibleInDisplays(page, 'list')
  await button.click()
  await page.getByLabel('Repeats').selectOption('weekly')
  await expectAccessibleInDisplays(page, 'form')
})
