import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { createPool, editPool, findPoolRow, listFreeLines, openPools, savePool } from './pools.ts'

// A line belongs to one pool at a time, so tests that assign free lines run one after another.
test.describe.configure({ mode: 'default' })

test('pools are listed, searched by id, name and lines, and sorted by id or limit', async ({ app, page }) => {
  const [line] = await listFreeLines()
  const small = await createPool({ usage_limit: 300, assigned_service_lines: [line?.service_line] })
  const large = await createPool({ plan_name: `${small.plan_name}-large`, usage_limit: 7000 })
  await openPools(app)
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

test('lines can be added, marked as new, removed, restored and saved', async ({ app, page }) => {
  const [first, second] = (await listFreeLines()).slice(-2)
  if (!first || !second) throw new Error('There are no free lines.')
  const pool = await createPool({ assigned_service_lines: [first.service_line] })
  await openPools(app)
  let dialog = await editPool(page, pool)
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
  await savePool(dialog)
  await expect(dialog.getByText('Saved successfully!')).toBeVisible()
  await expect(dialog).toBeHidden()
  dialog = await editPool(page, pool)
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
  await openPools(app)
  const dialog = await editPool(page, pool)
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
  await openPools(app)
  const dialog = await editPool(page, { virtual_plan_id, plan_name })
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
  await expectAccessibleInDisplays(page)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Saved successfully!')).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === '/plan-manager')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('searchbox').fill(plan_name)
  await expect(findPoolRow(page, plan_name)).toContainText('9,000,000')
})

test('the open pool is in the URL, and going back closes it', async ({ app, page }) => {
  const pool = await createPool()
  await openPools(app)
  await editPool(page, pool)
  await expect(page).toHaveURL(new RegExp(`pool=(%22)?${pool.virtual_plan_id}`))
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goForward()
  await expect(page.getByRole('dialog', { name: `Editing Pool ID: ${pool.virtual_plan_id}` })).toBeVisible()
})
