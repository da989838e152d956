import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

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
  const question = page.getByRole('dialog', { name: 'Make now' })
  await expect(question).toContainText('It has no recipients, so it is only stored.')
  await question.getByRole('button', { name: 'Make' }).click()
  const { access } = await getAdminSession(tenant)
  const listReports = async () => (await callApi(tenant, 'GET', '/reports/', { token: access })).body.reports
  await expect.poll(listReports).toContainEqual(expect.objectContaining({ name: 'Weekly figures' }))
  await app.open('/reports', tenant)
  const made = page.getByRole('row', { name: 'Weekly figures' })
  const download = page.waitForEvent('download')
  await made.getByRole('button', { name: 'PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/^report-\d{4}-\d\d-\d\d\.pdf$/)
  const id = ((await made.getByRole('link').getAttribute('href')) ?? '').replace(/^.*\/|\?.*$/g, '')
  await app.open(`/reports/${id}`, tenant)
  await expect(page.getByRole('heading', { name: /^Weekly figures: / })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Terminals', exact: true })).toBeVisible()
  // What is known to be nothing is not shown as unknown.
  await expect(page.getByText('Planned 0 s')).toBeVisible()

  // On a phone, whoever has its link sees each figure without scrolling sideways.
  const link = { kind: 'report', subject: id, days: 1, passPhrase: null }
  const { body } = await callApi(tenant, 'POST', '/share-links/', { token: access, body: link })
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(`${addresses.url}${body.path}?tenant=${tenant}`)
  const tables = page.locator('.figures')
  await expect(tables.first()).toContainText('Bethel')
  expect(await tables.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)).toBe(0)
})

test('axe finds no violations on reports, schedules and their form', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession(tenant))
  await app.open('/reports', tenant)
  await page.getByText('Schedules', { exact: true }).click()
  const button = page.getByRole('button', { name: 'Schedule reports' })
  await expect(button).toBeVisible()
  await expectAccessibleInDisplays(page, 'schedules')
  await button.click()
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible()
  await expectAccessibleInDisplays(page, 'form')
})
