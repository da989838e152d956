import { App, expect, test } from './app.ts'
import { callKnownTenant, downloadCsvLines, findTableRow, openTable, signInWithMetadataAccess } from './known-tenant.ts'

const readStoredMetadata1 = async (name: string) => {
  const { data } = (await callKnownTenant('GET', '/terminals/details/')) as { data: Record<string, unknown>[] }
  return data.find(({ nickname }) => nickname === name)?.metadata1
}

const headings = [
  'Service Line Name',
  'Service Line ID',
  'KitNumber',
  'Online/Offline Status',
  'Opt In Status',
  'ipv4',
  'ipv6',
  'Total Consumption',
  'Priority Consumption',
  'Usage Limit',
  'Product Plan Name',
  'Usage Buckets',
  'Percent Consumed',
  'Current Obstruction',
  'Ping Drop Rate',
  'Ping Latency',
  'Uplink',
  'Downlink',
  'Total Connected Clients',
  'Metadata 1',
  'Metadata 2',
  'Metadata 3',
]

test('columns are in order, numbers sort as numbers, and header and first column stay in place', {
  tag: '@core',
}, async ({ app, page }) => {
  await openTable(app)
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  const latency = page.getByRole('columnheader', { name: 'Ping Latency' })
  const names = page.getByRole('rowheader')
  await latency.getByRole('button').click()
  await expect(latency).toHaveAttribute('aria-sort', 'ascending')
  await expect(names.first()).toHaveText('Attu Watch')
  await latency.getByRole('button').click()
  await expect(latency).toHaveAttribute('aria-sort', 'descending')
  await expect(names.first()).toHaveText('Adak Cabin')
  await page.reload()
  await expect(names.first()).toHaveText('Adak Cabin')

  const scroller = page.getByRole('region', { name: 'Terminals' })
  const corner = page.getByRole('columnheader', { name: 'Service Line Name' })
  const before = await corner.boundingBox()
  await scroller.evaluate((element) => element.scrollTo(1600, 400))
  await expect.poll(() => corner.boundingBox()).toEqual(before)
  await expect.poll(async () => (await names.last().boundingBox())?.x).toBe(before?.x)
  await expect(latency).toBeInViewport()
  await expect(page.getByRole('columnheader', { name: 'ipv4' })).not.toBeInViewport()

  await scroller.evaluate((element) => element.scrollTo(0, 0))
  const opening = page.waitForEvent('popup')
  await findTableRow(page, 'Adak Cabin').getByRole('cell').nth(3).click()
  const tab = await opening
  await expect(tab).toHaveURL(/\/terminal\/Adak%20Cabin/)
})

test('what receives the focus is not scrolled under the header or the first column', async ({ app, page }) => {
  await openTable(app)
  const scroller = page.getByRole('region', { name: 'Terminals' })
  const corner = page.getByRole('columnheader', { name: 'Service Line Name' })
  const edit = findTableRow(page, 'Harbor 2').getByRole('button', { name: /Metadata 1/ })
  // Both are scrolled past, and the browser then brings the focused button to the nearest edge.
  await edit.evaluate((button) => button.scrollIntoView({ block: 'start', inline: 'start' }))
  await scroller.evaluate((box) => box.scrollBy(60, 60))
  await edit.focus()
  await expect
    .poll(async () => {
      const [free, focused] = [await corner.boundingBox(), await edit.boundingBox()]
      if (!free || !focused) return false
      return focused.x >= free.x + free.width && focused.y >= free.y + free.height
    })
    .toBe(true)
})

/** The right edge of an element's text. */
const findTextEnd = (element: Element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  let end = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    range.selectNodeContents(node)
    end = Math.max(end, Math.round(range.getBoundingClientRect().right))
  }
  return end
}

test('heads end over their numbers, bars are in one line, and a cell shows that it can be edited', async ({
  app,
  page,
}) => {
  await openTable(app)
  const row = findTableRow(page, 'Attu Watch')
  const cells = row.getByRole('cell')
  for (const name of ['Total Consumption', 'Priority Consumption', 'Usage Limit', 'Percent Consumed', 'Ping Latency']) {
    const head = page.getByRole('columnheader', { name })
    // The first cell of a row is its header.
    const cell = cells.nth(headings.indexOf(name) - 1)
    expect(await head.evaluate(findTextEnd), name).toBe(await cell.evaluate(findTextEnd))
  }
  const texts = await page
    .getByRole('cell')
    .filter({ hasText: /^[\d.,]+ GB$/ })
    .allInnerTexts()
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) expect(text).toMatch(/^[\d,]+\.\d\d GB$/)

  const bars = await page
    .getByTitle('Of the limit of the line')
    .locator('[aria-hidden]')
    .evaluateAll((all) =>
      all.map((bar) => [bar.getBoundingClientRect().left, bar.getBoundingClientRect().width].join()),
    )
  expect(bars.length).toBeGreaterThan(5)
  expect(new Set(bars).size).toBe(1)

  const edit = page.getByRole('button', { name: 'Edit Metadata 1 of Attu Watch' })
  await expect(edit.locator('svg')).toHaveCSS('opacity', '1')
  await expect(edit.locator('svg')).toHaveCSS('color', 'rgb(124, 139, 161)')
})

test('each user hides and reorders columns, and the choice persists', async ({ app, page }) => {
  await openTable(app)
  const shown = page.getByRole('columnheader')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'KitNumber' }).uncheck()
  await page.getByRole('button', { name: 'Move Online/Offline Status up' }).click()
  await page.getByRole('button', { name: 'Move Online/Offline Status up' }).click()
  await expect(page.getByRole('checkbox', { name: 'Service Line Name' })).toBeDisabled()
  const chosen = ['Service Line Name', 'Online/Offline Status', 'Service Line ID', ...headings.slice(4)]
  await expect(shown).toHaveText(chosen)
  await page.reload()
  await expect(shown).toHaveText(chosen)
  await page.getByRole('searchbox').fill('KITKNOWN1')
  const lines = await downloadCsvLines(page)
  expect(lines[0]).toBe(chosen.join(','))
  expect(lines).toHaveLength((await page.getByRole('rowheader').count()) + 1)

  await openTable(app, await signInWithMetadataAccess('read_only'))
  await expect(shown).toHaveText(headings)
})

test('search and badges filter the table and are stored in the URL', async ({ app, page }) => {
  await openTable(app)
  const names = page.getByRole('rowheader')
  for (const [text, found] of Object.entries({
    'kitknown1 ': 0,
    'SL-KNOWN-1': 11,
    '(50% SHARE) [X': 1,
    '.*': 0,
    101: 1,
    'dock 24': 1,
  })) {
    await page.getByRole('searchbox').fill(text)
    await expect(names).toHaveCount(found)
  }
  await page.getByRole('searchbox').fill('')
  await app.chip('Disabled').click()
  await expect(names).toHaveText(['Barred Dish'])
  await page.reload()
  await expect(names).toHaveText(['Barred Dish'])
  await page.getByRole('link', { name: 'Dashboard' }).last().click()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('metadata is validated and edited in place, and a failure is reported', async ({ app, page }) => {
  await openTable(app)
  const row = findTableRow(page, 'Noted Post')
  const begin = () => row.getByRole('button', { name: 'Edit Metadata 1 of Noted Post' }).click()
  const box = row.getByRole('textbox', { name: 'Metadata 1 of Noted Post' })
  await begin()
  await box.fill('Dock #9')
  await expect(page.getByText('Only letters, digits, and spaces are allowed.')).toBeVisible()
  await box.press('Enter')
  await expect(box).toBeVisible()
  await box.fill('')
  await box.pressSequentially('x'.repeat(61))
  await expect(box).toHaveValue('x'.repeat(60))
  await box.fill('  Utqiaġvik 9 ')
  await box.press('Enter')
  await expect(row.getByText('Utqiaġvik 9', { exact: true })).toBeVisible()

  await begin()
  await page.route('**/metadata/metadata1/', (route) => route.fulfill({ status: 500, json: {} }))
  await box.fill('   ')
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to save metadata.' }).first()).toBeVisible()
  await expect(box).toBeVisible()
  await page.unroute('**/metadata/metadata1/')
  await box.press('Enter')
  await expect(row.getByRole('button', { name: 'Edit Metadata 1 of Noted Post' })).toContainText('-')
  // The page updates before the server has saved.
  await expect.poll(() => readStoredMetadata1('Noted Post')).toBeNull()

  await begin()
  await box.fill('left behind')
  await box.press('Escape')
  await expect(box).toBeHidden()
  await begin()
  await page.getByRole('columnheader', { name: 'Opt In Status' }).getByRole('button').click()
  await expect(box).toBeHidden()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})

test('metadata is not editable with read_only, and a dash with cannot_see', async ({ browser, app }) => {
  await openTable(app, await signInWithMetadataAccess('read_only'))
  const cells = findTableRow(app.page, 'Post 7').getByRole('cell')
  await expect(cells.nth(18)).toHaveText('Dock 7')
  await expect(app.page.getByRole('button', { name: /Edit Metadata/ })).toHaveCount(0)

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const other = new App(await context.newPage())
  await openTable(other, await signInWithMetadataAccess('cannot_see'))
  await expect(findTableRow(other.page, 'Post 7').getByRole('cell').nth(18)).toHaveText('-')
  await expect(other.page.getByRole('button', { name: /Edit Metadata/ })).toHaveCount(0)
  await other.page.getByRole('searchbox').fill('Dock 7')
  await expect(other.page.getByText('No terminals match.')).toBeVisible()
  await context.close()
})

test('on a phone each terminal is a card with all values, and a select sorts them', async ({ app, page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await app.remember(await signInWithMetadataAccess('read_write'))
  await app.open('/terminaltable', 'known')
  const cards = page.getByRole('list', { name: 'Terminals' }).getByRole('listitem')
  await expect(cards.first()).toContainText('Adak Cabin')
  await expect(cards.first().getByRole('term')).toHaveText(headings)
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByLabel('Sort by').selectOption({ label: 'Ping Latency, ascending' })
  await expect(cards.first()).toContainText('Attu Watch')
  await page.getByRole('searchbox').fill('post 9')
  await page.getByRole('button', { name: 'Edit Metadata 2 of Post 9' }).click()
  await page.getByRole('textbox', { name: 'Metadata 2 of Post 9' }).fill('by thumb')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(cards.first().getByText('by thumb')).toBeVisible()
})
