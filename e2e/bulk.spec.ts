import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { type App, expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { callApi, createActiveUser, getAdminSession } from './users.ts'

/** Opens the table as a new user with these permissions. */
const openTable = async (app: App, tenant: string, grants: Record<string, string> = {}) => {
  const { id, session } = await createActiveUser(tenant)
  const { access } = await getAdminSession(tenant)
  for (const [item_code, value] of Object.entries(grants)) {
    const body = { user_id: id, item_code, value }
    expect((await callApi(tenant, 'PATCH', '/acp/value/', { token: access, body })).status).toBe(200)
  }
  await app.page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(session)
  await app.open('/terminaltable', tenant)
  await expect(findBoxes(app.page).first()).toBeVisible()
  return session
}

const findBoxes = (page: Page) => page.getByRole('checkbox', { name: /^Select / })
const findBar = (page: Page) => page.getByRole('region', { name: 'Selected terminals' })

test('rows are selected by keyboard and in ranges, and their metadata is set, with preview and undo', async ({
  app,
  page,
}) => {
  await openTable(app, 'dishboard', { metadata: 'read_write' })
  const boxes = findBoxes(page)
  const bar = findBar(page)
  await boxes.nth(0).focus()
  await page.keyboard.press('Space')
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('4 terminals selected')
  await bar.getByRole('button', { name: /^Select all/ }).click()
  await expect(bar).not.toContainText('4 terminals selected')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar).toHaveCount(0)
  await boxes.nth(0).click()
  await boxes.nth(1).click({ modifiers: ['Shift'] })
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'CSV of selected' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('terminal-table.csv')
  expect((await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(3)

  await bar.getByRole('button', { name: 'Set metadata…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set metadata' })
  await dialog.getByLabel('Field').selectOption('metadata3')
  await dialog.getByLabel('Value').fill('a;b')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('Only letters, digits, and spaces are allowed.')).toBeVisible()
  await dialog.getByLabel('Value').fill('Bulk harbor')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('2 terminals will change.')).toBeFocused()
  await expect(dialog.getByRole('listitem').first()).toContainText('→ Bulk harbor')
  await expectAccessibleInDisplays(page, 'preview')
  await dialog.getByRole('button', { name: 'Change 2 terminals' }).click()
  await expect(dialog.getByText('2 terminals changed.')).toBeVisible()
  await expect(page.getByText('Bulk harbor').first()).toBeVisible()
  await expectAccessibleInDisplays(page, 'progress')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('2 terminals restored.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(bar).toBeVisible()
  await expectAccessibleInDisplays(page, 'selection')
})

test('terminals join a data pool, except one that is in another, and leave it by undo', async ({ app, page }) => {
  const { access } = await openTable(app, 'dishboard', { plan_manager: 'true' })
  const createPool = async (plan_name: string, lines: string[]) => {
    const pool_details = { plan_name, usage_limit: 500, assigned_service_lines: lines }
    const { status } = await callApi('dishboard', 'POST', '/virtual-plan/', { token: access, body: { pool_details } })
    expect(status).toBe(200)
  }
  const { body } = await callApi('dishboard', 'GET', '/vp-service-line', { token: access })
  const [free, taken] = (body.data as { service_line: string; nickname: string }[]).slice(-2)
  if (!free || !taken) throw new Error('The test needs two lines that are in no pool.')
  await createPool('Bulk other', [taken.service_line])
  await createPool('Bulk pool', [])
  await page.getByRole('checkbox', { name: `Select ${free.nickname}`, exact: true }).click()
  await page.getByRole('checkbox', { name: `Select ${taken.nickname}`, exact: true }).click()
  await findBar(page).getByRole('button', { name: 'Data pool…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change data pool' })
  await dialog.getByLabel('Data pool').selectOption('Bulk pool')
  await expectAccessibleInDisplays(page, 'pool')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('1 terminal will change. 1 cannot.')).toBeVisible()
  const [failing, changing] = [dialog.getByRole('listitem').nth(0), dialog.getByRole('listitem').nth(1)]
  await expect(failing).toContainText('It is in another pool already.')
  await expect(changing).toContainText('no pool → Bulk pool')
  await dialog.getByRole('button', { name: 'Change 1 terminal' }).click()
  await expect(dialog.getByText('1 terminal changed. 1 failed.')).toBeVisible()
  await expect(failing).toContainText(taken.nickname)
  await expectAccessibleInDisplays(page, 'partial failure')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('1 terminal restored.')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toContainText('Bulk pool → no pool')
})

test('selected rows that a search hides are named, and left out of a change', async ({ app, page }) => {
  await openTable(app, 'dishboard')
  const boxes = findBoxes(page)
  const bar = findBar(page)
  await boxes.nth(0).click()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 terminals selected')
  const name = String(await boxes.nth(1).getAttribute('aria-label')).replace('Select ', '')
  const search = page.getByRole('searchbox', { name: 'Search terminals' })
  await search.fill(name)
  await expect(bar).toContainText('1 terminal selected, 2 more hidden by the search or filter')
  await bar.getByRole('button', { name: 'Notifications…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('1 terminal will change.')).toBeFocused()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await search.fill('no such terminal')
  await expect(bar).toContainText('0 terminals selected, 3 more hidden by the search or filter')
  await expect(bar.getByRole('button', { name: 'Notifications…' })).toHaveCount(0)
  await search.fill('')
  await expect(bar).toHaveText(/^3 terminals selectedSelect all/)
})

test('users turn their own notifications on for selected terminals, and back', async ({ app, page }) => {
  const { access } = await openTable(app, 'dishboard')
  const readSelected = async () => {
    const { body } = await callApi('dishboard', 'GET', '/user-profile/', { token: access })
    return String(body.selectedTerminalList).split(',').filter(Boolean).length
  }
  const before = await readSelected()
  await findBoxes(page).nth(0).click()
  await findBoxes(page).nth(1).click()
  await expect(findBar(page).getByRole('button', { name: 'Data pool…' })).toHaveCount(0)
  await findBar(page).getByRole('button', { name: 'Notifications…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await expectAccessibleInDisplays(page, 'notifications')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('listitem').first()).toContainText('off → on')
  await dialog.getByRole('button', { name: 'Change 2 terminals' }).click()
  await expect(dialog.getByText('2 terminals changed.')).toBeVisible()
  expect(await readSelected()).toBe(before + 2)
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('2 terminals restored.')).toBeVisible()
  expect(await readSelected()).toBe(before)
})

test('reboots say how long they take, continue without their page, and stop', async ({ app, page }) => {
  // Starlink does not know these terminals, so each line shows why it failed. There are enough of them to be still at work
  // after the reload on a busy machine.
  await openTable(app, 'crowded')
  await findBoxes(page).nth(0).click()
  await findBar(page)
    .getByRole('button', { name: /^Select all/ })
    .click()
  await findBar(page).getByRole('button', { name: 'Reboot…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reboot terminals' })
  await expect(dialog.getByText(/terminals will reboot one after the other, about .* at 40 a minute\./)).toBeVisible()
  await expectAccessibleInDisplays(page, 'reboot')
  await dialog.getByRole('button', { name: /^Reboot \d+ terminals$/ }).click()
  await expect(dialog.getByText(/to go, about .* at 40 a minute\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.reload()
  const running = page.getByRole('region', { name: 'Change of many terminals' })
  await expect(running).toContainText('to go')
  await running.getByRole('button', { name: 'Show' }).click()
  const progress = page.getByRole('dialog', { name: 'Change of many terminals' })
  await progress.getByRole('button', { name: 'Stop' }).click()
  await expect(progress.getByText(/You have stopped it\. \d+ terminals stayed as they were\./)).toBeVisible()
  await expect(progress.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expectAccessibleInDisplays(page, 'stopped')
  await progress.getByRole('button', { name: 'Close' }).last().click()
  await expect(running).toHaveCount(0)
})
