import { randomUUID } from 'node:crypto'
import { expect, test } from './app.ts'
import { advanceUntilVisible, pauseClock } from './paused-clock.ts'
import { createPool, editPool, findPoolRow, openPools, savePool, tenant } from './pools.ts'
import { callApi, getAdminSession } from './users.ts'

test('creating a pool confirms, closes the dialog after three seconds and lists the pool', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const name = `T-${randomUUID()}`
  await page.clock.install()
  await openPools(app)
  await page.getByRole('button', { name: '+ Create New' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Pool' })
  await expect(dialog.getByLabel('Over Limit Behavior')).toHaveValue('Hard Cap')
  await expect(dialog.getByRole('button', { name: '+ Add Top Up' })).toBeHidden()
  await expect(dialog.getByLabel('Next Month Usage Limit (GB)')).toBeHidden()

  await savePool(dialog)
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  for (const wrong of ['', '1.5', '1e3', '0', 'many']) {
    await dialog.getByLabel('Usage Limit (GB)').fill(wrong)
    await savePool(dialog)
    await expect(dialog.getByText('Please enter a whole number from 1 to 10,000,000.')).toBeVisible()
  }
  await dialog.getByLabel('Pool Name').fill(name)
  await dialog.getByLabel('Over Limit Behavior').selectOption('Purchase Buckets')
  await dialog.getByLabel('Usage Limit (GB)').fill('2048')
  await pauseClock(page)
  await savePool(dialog)
  await advanceUntilVisible(page, dialog.getByText('Saved successfully!'))
  await page.clock.runFor(2500)
  await expect(dialog).toBeVisible()
  await page.clock.runFor(1000)
  await expect(dialog).toBeHidden()
  await page.clock.resume()
  await page.getByRole('searchbox').fill(name)
  await expect(findPoolRow(page, name)).toContainText('Purchase Buckets')
  await expect(findPoolRow(page, name)).toContainText('2,048')
})

test('a failed save is reported for five seconds, with the reason if there is one', async ({ app, page }) => {
  const pool = await createPool()
  await page.clock.install()
  await openPools(app)
  const dialog = await editPool(page, pool)
  await page.route('**/api/virtual-plan/', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await pauseClock(page)
  await savePool(dialog)
  const failure = dialog.getByText('Failed to save. Try again.')
  await advanceUntilVisible(page, failure)
  await page.clock.runFor(4500)
  await expect(failure).toBeVisible()
  await page.clock.runFor(1000)
  await expect(failure).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.clock.resume()

  await page.unroute('**/api/virtual-plan/')
  const { access } = await getAdminSession(tenant)
  const same = { ...pool, usage_limit: 1, usage_limit_next_month: 1, assigned_service_lines: [] }
  const { virtual_plan_id, plan_name, usage_limit, usage_limit_next_month, assigned_service_lines } = same
  await callApi(tenant, 'PATCH', '/virtual-plan/', {
    token: access,
    body: { pool_details: { virtual_plan_id, plan_name, usage_limit, usage_limit_next_month, assigned_service_lines } },
  })
  await savePool(dialog)
  await expect(dialog.getByText('This pool has changed since you opened it.')).toBeVisible()
})

test('top-ups are listed with their total and bought exactly once on save', async ({ app, page }) => {
  const pool = await createPool()
  await openPools(app)
  const dialog = await editPool(page, pool)
  const topUps = dialog.getByRole('region', { name: 'Top ups' })
  for (const _ of [1, 2, 3]) await topUps.getByRole('button', { name: '+ Add Top Up' }).click()
  await topUps.getByRole('button', { name: 'Discard this top up' }).first().click()
  await expect(topUps.getByRole('listitem')).toHaveCount(2)
  await expect(topUps.getByRole('listitem').first()).toHaveText(/500 GB\s*\d\d\/\d\d\/\d\d\s*New/)
  await expect(topUps.getByText('Total: 1,000 GB')).toBeVisible()

  const keys: (string | undefined)[] = []
  let lost = false
  await page.route('**/api/virtual-plan/', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (lost) return route.continue()
    // The server processes the request, but its response is lost.
    lost = true
    await route.fetch()
    return route.abort()
  })
  await savePool(dialog)
  await expect(dialog.getByText('Failed to save. Try again.')).toBeVisible()
  await savePool(dialog)
  await expect(dialog.getByText('Saved successfully!')).toBeVisible()
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
  await expect(dialog).toBeHidden()
  await expect(findPoolRow(page, pool.plan_name)).toContainText('1,800')
})

test('editing requires next month’s limit', async ({ app, page }) => {
  const pool = await createPool()
  await openPools(app)
  const dialog = await editPool(page, pool)
  await expect(dialog.getByLabel('Next Month Usage Limit (GB)')).toHaveValue('800')
  await dialog.getByLabel('Next Month Usage Limit (GB)').fill('')
  await savePool(dialog)
  await expect(dialog.getByText('Please enter a whole number from 1 to 10,000,000.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
})
