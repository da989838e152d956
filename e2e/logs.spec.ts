import { readFile } from 'node:fs/promises'
import { type App, expect, test } from './app.ts'
import { callApi, createUser, getAdminSession } from './users.ts'

const tenant = 'microcom'

const openLog = async (app: App) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/editing-logs', tenant)
  await expect(app.page.getByRole('rowheader').first()).toBeVisible()
}

const change = async (id: number, values: string[]) => {
  const { access } = await getAdminSession(tenant)
  for (const value of values) {
    const body = { user_id: id, item_code: 'metadata', value }
    expect((await callApi(tenant, 'PATCH', '/acp/value/', { token: access, body })).status).toBe(200)
  }
}

test('the log has four columns, newest entries first, with details for each', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const { id, email } = await createUser(tenant)
  await change(id, ['read_only', 'read_write'])
  await openLog(app)
  await expect(page.getByRole('columnheader')).toHaveText([
    'ActionPerformer',
    'ActionType',
    'ActionPerformee',
    'ActionTime',
  ])
  const rows = page.getByRole('row', { name: new RegExp(email) })
  await expect(rows.first()).toContainText('access.set')
  await expect(rows.first()).toContainText(`set Metadata of ${email} to read write`)
  await expect(rows.last()).toContainText('user.create')
  await rows.first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: 'metadata read_only read_write' })).toBeVisible()
  await page.keyboard.press('Escape')
  await rows.last().click()
  await expect(dialog.getByRole('row', { name: `email - ${email}` })).toBeVisible()
  await expect(dialog).not.toContainText('Initial-pass-1')
})

test('filters by user, action and time apply to the table and the download', async ({ app, page }) => {
  const { id, email } = await createUser(tenant)
  await change(id, ['read_only'])
  await openLog(app)
  await page.getByRole('combobox', { name: 'User' }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  await page.getByLabel('Action').selectOption('access.set')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await expect(page).toHaveURL(/action=access.set/)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toBe('editing-log.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toBe('ActionPerformer,ActionType,ActionPerformee,ActionTime,Details')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(email)
  await page.getByLabel('From').fill('2099-01-01T00:00')
  await expect(page.getByText('No entries match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
})

test('scrolling to the end loads older entries', async ({ app, page }) => {
  const { id, email } = await createUser(tenant)
  await change(
    id,
    Array.from({ length: 120 }, (_, number) => (number % 2 === 0 ? 'read_only' : 'read_write')),
  )
  await openLog(app)
  await page.getByRole('combobox', { name: 'User' }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('100 entries, more below')).toBeVisible()
  await page.getByRole('region', { name: 'Editing log' }).evaluate((table) => {
    table.scrollTop = table.scrollHeight
  })
  await expect(page.getByText('121 entries')).toBeVisible()
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '122')
})

test('Verify reports whether the log is intact', async ({ app, page }) => {
  await openLog(app)
  await page.getByRole('button', { name: 'Verify' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/The log is intact: all \d+ entries are as they were written\./)
  await dialog.getByRole('button', { name: 'OK' }).click()
  const fault = { id: '7', problem: 'Entry 7 was changed after it was written.' }
  await page.route('**/api/get-logs/verify/', (route) =>
    route.fulfill({ json: { intact: false, entries: 6, head: null, fault } }),
  )
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(dialog).toContainText('The log was tampered with. Entry 7 was changed after it was written.')
})

test('a 404 shows the server’s message and leads home', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await page.route('**/api/get-logs/?*', (route) => route.fulfill({ status: 404, json: { message: 'No log here.' } }))
  await app.open('/editing-logs', tenant)
  await expect(page.getByRole('dialog')).toContainText('No log here.')
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('on a phone every value of an entry has its label', async ({ app, page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await app.remember(await getAdminSession(tenant))
  await app.open('/editing-logs', tenant)
  const labels = page
    .getByRole('listitem')
    .filter({ has: page.locator('dl') })
    .first()
    .locator('dt')
  await expect(labels.first()).toHaveText('ActionPerformer')
  await expect(labels.nth(1)).toHaveText('ActionType')
})

test('a card of a phone shows the whole sentence', async ({ app, page }) => {
  const { id, email } = await createUser(tenant)
  await change(id, ['read_only'])
  await page.setViewportSize({ width: 360, height: 740 })
  await app.remember(await getAdminSession(tenant))
  await app.open('/editing-logs', tenant)
  const sentence = page.getByRole('button', { name: `set Metadata of ${email}` })
  await expect(sentence).toBeVisible()
  expect(await sentence.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2)
})
