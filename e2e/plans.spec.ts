import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { advanceUntilVisible, pauseClock } from './paused-clock.ts'
import { callApi, getAdminSession } from './users.ts'

const tenant = 'dishboard'

// A line belongs to one pool at a time, so tests that assign free lines run one after another.
test.describe.configure({ mode: 'default' })

const open = async (app: App, search = '') => {
  await app.remember(await getAdminSession(tenant))
  await app.page.goto(`${addresses.url}/plan-manager?tenant=${tenant}${search}`)
  await expect(app.page.getByRole('heading', { name: 'Defined Pools' })).toBeVisible()
}

interface Wire {
  virtual_plan_id: string
  plan_name: string
}

/** Creates a pool with a unique name. */
const createPool = async (more: object = {}): Promise<Wire> => {
  const { access } = await getAdminSession(tenant)
  const details = { plan_name: `T-${randomUUID()}`, usage_limit: 800, assigned_service_lines: [], ...more }
  const { status, body } = await callApi(tenant, 'POST', '/virtual-plan/', {
    token: access,
    body: { pool_details: details },
  })
  expect(status).toBe(200)
  return body as unknown as Wire
}

const listFreeLines = async () => {
  const { access } = await getAdminSession(tenant)
  const { body } = await callApi(tenant, 'GET', '/vp-service-line', { token: access })
  return body.data as { service_line: string; nickname: string; kit_number: string | null }[]
}

const findPoolRow = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const edit = async (page: Page, { virtual_plan_id, plan_name }: Wire) => {
  await page.getByRole('searchbox').fill(plan_name)
  await findPoolRow(page, plan_name).getByText(plan_name).click()
  const dialog = page.getByRole('dialog', { name: `Editing Pool ID: ${virtual_plan_id}` })
  await expect(dialog).toBeVisible()
  return dialog
}
const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save Changes' }).click()

test('pools are listed, searched by id, name and lines, and sorted by id or limit', async ({ app, page }) => {
  const [line] = await listFreeLines()
  const small = await createPool({ usage_limit: 300, assigned_service_lines: [line?.service_line] })
  const large = await createPool({ plan_name: `${small.plan_name}-large`, usage_limit: 7000 })
  await open(app)
  const headers = page.getByRole('columnheader')
  await expect(headers).toHaveText([
    'Pool ID',
    'Pool Name',
    'Limit Behavior',
    'Usage Limit (GB)',
    'Total Service Lines',
    'Used',
    'Forecast',
  ])
  for (const text of [small.virtual_plan_id, small.plan_name, line?.kit_number, line?.service_line, line?.nickname]) {
    await page
      .getByRole('searchbox', { name: 'Search by Pool ID, Pool Name, Kit Number, Service Line, or SL nickname' })
      .fill(text as string)
    await expect(findPoolRow(page, small.plan_name).first()).toBeVisible()
  }
  await page.getByRole('searchbox').fill(small.plan_name)
  await page.getByRole('columnheader', { name: 'Usage Limit (GB)' }).getByRole('button').click()
  await expect(page.getByRole('rowheader')).toHaveText([small.virtual_plan_id, large.virtual_plan_id])
  await page.getByRole('columnheader', { name: 'Pool ID' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Pool ID' }).getByRole('button').click()
  await expect(page.getByRole('rowheader')).toHaveText([large.virtual_plan_id, small.virtual_plan_id])
  await page.reload()
  await expect(page.getByRole('rowheader')).toHaveText([large.virtual_plan_id, small.virtual_plan_id])
  await page.getByRole('searchbox').fill('nothing is called this')
  await expect(page.getByText('No virtual plans found.')).toBeVisible()
})

test('creating a pool confirms, closes the dialog after three seconds and lists the pool', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const name = `T-${randomUUID()}`
  await page.clock.install()
  await open(app)
  await page.getByRole('button', { name: '+ Create New' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Pool' })
  await expect(dialog.getByLabel('Over Limit Behavior')).toHaveValue('Hard Cap')
  await expect(dialog.getByRole('button', { name: '+ Add Top Up' })).toBeHidden()
  await expect(dialog.getByLabel('Next Month Usage Limit (GB)')).toBeHidden()

  await save(dialog)
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  for (const wrong of ['', '1.5', '1e3', '0', 'many']) {
    await dialog.getByLabel('Usage Limit (GB)').fill(wrong)
    await save(dialog)
    await expect(dialog.getByText('Please enter a whole number from 1 to 10000000.')).toBeVisible()
  }
  await dialog.getByLabel('Pool Name').fill(name)
  await dialog.getByLabel('Over Limit Behavior').selectOption('Purchase Buckets')
  await dialog.getByLabel('Usage Limit (GB)').fill('2048')
  await pauseClock(page)
  await save(dialog)
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
  await open(app)
  const dialog = await edit(page, pool)
  await page.route('**/api/virtual-plan/', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await pauseClock(page)
  await save(dialog)
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
  await save(dialog)
  await expect(dialog.getByText('This pool has changed since you opened it.')).toBeVisible()
})

test('top-ups are listed with their total and bought exactly once on save', async ({ app, page }) => {
  const pool = await createPool()
  await open(app)
  const dialog = await edit(page, pool)
  const topUps = dialog.getByRole('region', { name: 'Top ups' })
  for (const _ of [1, 2, 3]) await topUps.getByRole('button', { name: '+ Add Top Up' }).click()
  await topUps.getByRole('button', { name: 'Discard this top up' }).first().click()
  await expect(topUps.getByRole('listitem')).toHaveCount(2)
  await expect(topUps.getByRole('listitem').first()).toHaveText(/500 GB\s*\d\d\/\d\d\/\d\d\s*New/)
  await expect(topUps.getByText('Total: 1000 GB')).toBeVisible()

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
  await save(dialog)
  await expect(dialog.getByText('Failed to save. Try again.')).toBeVisible()
  await save(dialog)
  await expect(dialog.getByText('Saved successfully!')).toBeVisible()
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
  await expect(dialog).toBeHidden()
  await expect(findPoolRow(page, pool.plan_name)).toContainText('1,800')
})

test('editing requires next month’s limit', async ({ app, page }) => {
  const pool = await createPool()
  await open(app)
  const dialog = await edit(page, pool)
  await expect(dialog.getByLabel('Next Month Usage Limit (GB)')).toHaveValue('800')
  await dialog.getByLabel('Next Month Usage Limit (GB)').fill('')
  await save(dialog)
  await expect(dialog.getByText('Please enter a whole number from 1 to 10000000.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
})

test('lines can be added, marked as new, removed, restored and saved', async ({ app, page }) => {
  const [first, second] = (await listFreeLines()).slice(-2)
  if (!first || !second) throw new Error('There are no free lines.')
  const pool = await createPool({ assigned_service_lines: [first.service_line] })
  await open(app)
  let dialog = await edit(page, pool)
  const lines = dialog.getByRole('region', { name: 'Assigned Service Lines' })
  const item = (nickname: string) => lines.getByRole('listitem').filter({ hasText: nickname })
  await expect(item(first.nickname).getByRole('link')).toHaveAttribute('target', '_blank')
  await expect(item(first.nickname).getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^/terminal/${encodeURIComponent(first.nickname)}`),
  )

  const addSecond = async () => {
    await lines.getByRole('button', { name: '+ Add Service Lines' }).click()
    const label = [second.service_line, second.nickname, second.kit_number].filter(Boolean).join(' - ')
    await page.getByRole('searchbox', { name: 'Search service lines' }).fill(second.service_line)
    await page.getByRole('checkbox', { name: label }).check()
    await page.getByRole('button', { name: 'Add Selected' }).click()
  }
  await addSecond()
  await expect(item(second.nickname)).toContainText('New')
  await lines.getByRole('button', { name: '+ Add Service Lines' }).click()
  await expect(page.getByRole('checkbox', { name: new RegExp(second.service_line) })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('searchbox', { name: 'Search service lines' })).toBeHidden()
  await expect(dialog).toBeVisible()
  await item(second.nickname)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(item(second.nickname)).toBeHidden()
  await addSecond()

  await item(first.nickname)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(item(first.nickname).locator('s')).toBeVisible()
  await item(first.nickname).getByRole('button', { name: /^Undo/ }).click()
  await expect(item(first.nickname).locator('s')).toBeHidden()
  await item(first.nickname)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await save(dialog)
  await expect(dialog.getByText('Saved successfully!')).toBeVisible()
  await expect(dialog).toBeHidden()
  dialog = await edit(page, pool)
  await expect(dialog.getByRole('region', { name: 'Assigned Service Lines' }).getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByRole('link', { name: new RegExp(second.nickname) })).toBeVisible()
})

test('a pool shows its usage, its forecast and when the limit was reached', async ({ app, page }) => {
  const lines = await listFreeLines()
  const pool = await createPool({
    usage_limit: 1,
    over_limit_behavior: 'Purchase Buckets',
    assigned_service_lines: lines.slice(0, 3).map(({ service_line }) => service_line),
  })
  await open(app)
  const dialog = await edit(page, pool)
  const outlook = dialog.getByRole('region', { name: 'Usage and forecast' })
  await expect(outlook).toContainText(/Billing cycle from \w+ \d+ until \w+ \d+, in UTC days/)
  await expect(outlook).toContainText(/run out|last until|Not enough|No use|Limit reached/)
  await expect(outlook.getByText(/^Limit reached (once|\d+ times)$/)).toBeVisible()
  await expect(outlook.getByText('500 GB were added.').first()).toBeAttached()
})

test('a pool has a page of its own, where typing shows the effect on the forecast', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const [line] = await listFreeLines()
  const { virtual_plan_id, plan_name } = await createPool({ assigned_service_lines: [line?.service_line] })
  await open(app)
  const dialog = await edit(page, { virtual_plan_id, plan_name })
  await dialog.getByRole('link', { name: 'Open as a page' }).click()
  await expect(page).toHaveURL((url) => url.pathname === `/plan-manager/${virtual_plan_id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Editing Pool ID: ${virtual_plan_id}`)
  const preview = page.getByRole('region', { name: 'With these changes' })
  await expect(preview).toContainText('Change the limit, the top-ups or the lines')
  const limit = page.getByRole('textbox', { name: 'Usage Limit (GB)', exact: true })
  await limit.fill('1')
  await expect(preview).toContainText('Limit reached')
  await limit.fill('9000000')
  await expect(preview).toContainText('Will last until the cycle ends')
  await limit.fill('')
  await expect(preview).toContainText('Enter a usage limit to see how long it would last.')
  await limit.fill('9000000')
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, display.title)
    await page.screenshot({ fullPage: true, path: test.info().outputPath(`pool ${display.title}.png`) })
  }
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Saved successfully!')).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === '/plan-manager')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('searchbox').fill(plan_name)
  await expect(findPoolRow(page, plan_name)).toContainText('9,000,000')
})

test('the open pool is in the URL, and going back closes it', async ({ app, page }) => {
  const pool = await createPool()
  await open(app)
  await edit(page, pool)
  await expect(page).toHaveURL(new RegExp(`pool=(%22)?${pool.virtual_plan_id}`))
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goForward()
  await expect(page.getByRole('dialog', { name: `Editing Pool ID: ${pool.virtual_plan_id}` })).toBeVisible()
})
