import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'

test('an administrator schedules a report, sends it at once and downloads it', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/reports', tenant)
  await page.getByText('Schedules', { exact: true }).click()
  await page.getByRole('button', { name: 'Schedule reports' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule reports' })
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(dialog.getByText('This field is required.').first()).toBeVisible()
  await dialog.getByLabel('Name').fill('Weekly figures')
  await dialog.getByLabel('Every').selectOption('week')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const row = page.getByRole('row', { name: 'Weekly figures' })
  await row.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await app.open('/reports', tenant)
  const made = page.getByRole('row', { name: 'Weekly figures' })
  await expect(async () => {
    await page.reload()
    await expect(made).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const download = page.waitForEvent('download')
  await made.getByRole('button', { name: 'PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/^report-\d{4}-\d\d-\d\d\.pdf$/)
  const id = (await made.getByRole('link').getAttribute('href')) ?? ''
  await app.open(`/reports/${id.replace(/^.*\/|\?.*$/g, '')}`, tenant)
  await expect(page.getByRole('heading', { name: /^Weekly figures: / })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Terminals', exact: true })).toBeVisible()
})

test('axe finds no violations on reports, schedules and their form', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession(tenant))
  await app.open('/reports', tenant)
  await page.getByText('Schedules', { exact: true }).click()
  const button = page.getByRole('button', { name: 'Schedule reports' })
  await expect(button).toBeVisible()
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, `schedules, ${display.title}`)
  }
  await button.click()
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible()
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, `form, ${display.title}`)
  }
})
