import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { pauseClock } from './paused-clock.ts'
import { createActiveUser, getAdminSession } from './users.ts'

const tenant = 'dishboard'

const limits = [50, 500, 1000, 5120, null]

/** Plans of many organizations and customers. */
const buildPlans = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    plan_name: `ORG${'ABCDEFGHIJ'[index % 10]}-Customer ${index % 37}-${String(index).padStart(5, '0')}`,
    customer_group: index % 3 === 0 ? `group ${index % 5}` : null,
    virtual_plan_id: null,
    usage_limit: limits[index % limits.length],
    price_usd: 65.1,
    service_lines: [0, 1, 2].map((nth) => ({
      service_line: `SL-${index}-${nth}`,
      kit_number: `KIT-${index}`,
      status: ['online', 'offline', 'no data'][nth],
      total_usage: [20, 10, 10][nth],
      last_month_usage: [10, 20, 10][nth],
    })),
  }))

const respondWithPlans = (page: Page, plans: unknown[]) =>
  page.route('**/api/executive-summary/**', (route) => route.fulfill({ json: { plans } }))

const open = async (app: App, search = '') => {
  await app.remember(await getAdminSession(tenant))
  await app.page.goto(`${addresses.url}/dev-dashboard?tenant=${tenant}${search}`)
}

const cards = (page: Page) =>
  page
    .getByRole('region', { name: 'Plan cards' })
    .getByRole('listitem')
    .filter({
      has: page.getByRole('heading'),
    })
const figure = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').first()
const readCardNames = (page: Page) =>
  page.getByRole('region', { name: 'Plan cards' }).getByRole('heading').allInnerTexts()
const tableRows = (page: Page) => page.getByRole('region', { name: 'Plans', exact: true }).getByRole('rowheader')

test('with the demo’s plans, figures, chips, table and cards agree', { tag: '@core' }, async ({ app, page }) => {
  await open(app)
  await expect(page.getByRole('heading', { name: 'Executive Dashboard' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Everything' })).toBeVisible()
  await expect(cards(page).first()).toBeVisible()
  const prices = await page
    .getByRole('region', { name: 'Plans', exact: true })
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => row.querySelector('td:last-child')?.textContent ?? ''))
  const cents = prices
    .filter((price) => price.startsWith('$'))
    .reduce((sum, price) => sum + Math.round(Number(price.replace(/[$,]/g, '')) * 100), 0)
  const shown = await figure(page, 'Est. Price (USD)').innerText()
  expect(Math.round(Number(shown.replace(/[$,]/g, '')) * 100)).toBe(cents)
  await expect(page.getByRole('status').filter({ hasText: 'results' })).toHaveText(
    `${await tableRows(page).count()} results`,
  )
})

test('figures and chips are computed, and a note lists the ignored plans', async ({ app, page }) => {
  await respondWithPlans(page, [
    ...buildPlans(30),
    { ...buildPlans(1)[0], plan_name: 'no organization' },
    { ...buildPlans(1)[0], plan_name: null },
  ])
  await open(app)
  await expect(figure(page, 'Subscriptions')).toHaveText('90')
  await expect(figure(page, 'Terminals')).toHaveText('30')
  await expect(figure(page, 'Est. Price (USD)')).toHaveText('$5,859.00')
  const chips = page.getByRole('list', { name: 'Plans by usage limit' }).getByRole('listitem')
  await expect(chips).toHaveText(['50 GB6', '500 GB6', '1.0 TB6', '5.0 TB6', 'N/A6'])
  const note = page.getByText(
    '2 plans are left out: a name must begin with the organization in capital letters and a dash.',
  )
  await note.click()
  await expect(page.getByText('no organization', { exact: true })).toBeVisible()
  await expect(page.getByText('UNKNOWN', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Plans', exact: true }).getByRole('columnheader')).toHaveText([
    'Plan',
    'Limit',
    'Service Lines',
    'Terminals',
    'Price',
  ])
  await expect(tableRows(page)).toHaveCount(20)
  await expect(cards(page)).toHaveCount(24)
  await expect(cards(page).first()).toContainText(/Usage Limit.*Price.*Service Lines.*View details/s)
})

test('the search is debounced, filters, and is stored in the URL', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(200))
  await page.clock.install()
  await open(app)
  await expect(page.getByText('200 results')).toBeVisible()
  await page.getByRole('button', { name: 'Page 3' }).first().click()
  await pauseClock(page)
  await page.getByPlaceholder('Search plans…').fill('CUSTOMER 7-')
  await page.clock.runFor(200)
  await expect(page.getByText('200 results')).toBeVisible()
  await page.clock.runFor(200)
  await page.clock.resume()
  await expect(page.getByText('6 results')).toBeVisible()
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === 'CUSTOMER 7-' && !url.searchParams.has('page'))
  await expect(page.getByText('Query: CUSTOMER 7-')).toBeVisible()
  await page.reload()
  await expect(page.getByText('6 results')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Query CUSTOMER 7-' }).click()
  await expect(page.getByText('200 results')).toBeVisible()
  await expect(page.getByPlaceholder('Search plans…')).toHaveValue('')
})

test('the filter panel selects organizations and customers and takes effect on Apply', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(200))
  await open(app)
  await page.getByRole('button', { name: '+ Add filter' }).click()
  await expect(page.getByRole('tab')).toHaveText(['Organization', 'Customer'])
  await page.getByRole('searchbox', { name: 'Search organizations' }).fill('orgc')
  await page.getByRole('checkbox', { name: 'ORGC', exact: true }).check()
  await expect(page.getByText('200 results')).toBeVisible()
  await page.getByRole('tab', { name: 'Customer' }).click()
  await page.getByRole('checkbox', { name: 'group 2' }).check()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Org: ORGC')).toBeVisible()
  await expect(page.getByText('Customer: group 2')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'ORGC, group 2' })).toBeVisible()
  const names = await readCardNames(page)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(name).toMatch(/^ORGC-/)

  await page.getByRole('button', { name: '+ Add filter' }).click()
  await page.getByRole('checkbox', { name: 'ORGC', exact: true }).uncheck()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText('Org: ORGC')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Org ORGC' }).click()
  await expect(page.getByRole('heading', { name: 'group 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('200 results')).toBeVisible()
})

test('no match shows the empty state, and Clear all resets the filters', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(5))
  await open(app, '&q=nothing')
  await expect(page.getByText('No plans match your filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByText('5 results')).toBeVisible()
})

test('reversing the sort returns to the first page', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(100))
  await open(app, '&cards=2&page=3')
  await expect(cards(page)).toHaveCount(24)
  const before = await readCardNames(page)
  await page.getByRole('button', { name: 'Sorted A→Z, sort Z→A' }).click()
  await expect(page.getByRole('button', { name: 'Sorted Z→A, sort A→Z' })).toHaveText('Z→A')
  await expect(page).toHaveURL((url) => !url.searchParams.has('cards') && !url.searchParams.has('page'))
  expect(await readCardNames(page)).not.toEqual(before)
  expect((await readCardNames(page))[0]).toMatch(/^ORGJ-/)
})

test('thousands of plans are paged with ellipses and few elements are rendered', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(5000))
  await open(app)
  const pages = () => page.getByRole('navigation', { name: 'Pages of the table' }).getByRole('listitem').allInnerTexts()
  await expect(page.getByText('5,000 results')).toBeVisible()
  expect(await pages()).toEqual(['1', '2', '…', '249', '250'])
  await page.getByRole('navigation', { name: 'Pages of the table' }).getByRole('button', { name: 'Page 249' }).click()
  expect(await pages()).toEqual(['1', '2', '…', '248', '249', '250'])
  await page.getByRole('navigation', { name: 'Pages of the cards' }).getByRole('button', { name: 'Page 209' }).click()
  await expect(cards(page)).toHaveCount(5000 - 208 * 24)
  await expect(page).toHaveURL(
    (url) => url.searchParams.get('page') === '249' && url.searchParams.get('cards') === '209',
  )
  const elements = await page.locator('body *').count()
  expect(elements).toBeLessThan(1500)
})

test('details compare lines with last month and close by button, cross and Escape', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(3))
  await open(app)
  const details = page.getByRole('dialog')
  const show = () => page.getByRole('button', { name: /^View details of ORGA-/ }).click()
  await show()
  await expect(details.getByRole('columnheader')).toHaveText([
    'Service Line',
    'Kit Number',
    'Status',
    'Usage Limit',
    'Used',
    'Last Month',
    'Comparison',
  ])
  await expect(details.getByRole('row').nth(1)).toContainText(
    /SL-0-0.*KIT-0.*Online.*50 GB.*20.00 GB.*10.00 GB.*Higher/,
  )
  await expect(details.getByRole('row').nth(2)).toContainText('Lower')
  await expect(details.getByRole('row').nth(3)).toContainText(/10.00 GB10.00 GB-$/)
  await expect(details).toContainText('$65.10')
  await page.reload()
  await expect(details).toBeVisible()
  await details.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(details).toBeHidden()
  await show()
  await details.getByRole('button', { name: 'Close details' }).click()
  await expect(details).toBeHidden()
  await show()
  await expect(details).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
})

test('choosing an account group loads its plans and shows a skeleton of twelve cards', async ({ app, page }) => {
  await open(app)
  await expect(cards(page).first()).toBeVisible()
  await expect(page.getByLabel('Account Group').getByRole('option')).toHaveText([
    'All',
    'Canadian Pool Local',
    'US Pool Global',
    'US Local Pool',
    'Dishboard',
  ])
  let respond = () => {}
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  await page.route('**/api/account-group-plans/US%20Local%20Pool/', async (route) => {
    await held
    await route.continue()
  })
  await page.getByLabel('Account Group').selectOption('US Local Pool')
  await expect(page.getByTestId('plans-skeleton').locator('li')).toHaveCount(12)
  respond()
  await expect(cards(page).first()).toBeVisible()
  await expect(page).toHaveURL((url) => url.searchParams.get('group') === 'US Local Pool')
})

test('failures are reported and can be retried', async ({ app, page }) => {
  await page.route('**/api/executive-summary/', (route) => route.fulfill({ status: 400, json: { message: 'Broken.' } }))
  await page.route('**/api/account-group-plans/**', (route) => route.fulfill({ status: 400, json: {} }))
  await open(app)
  await expect(page.getByText('Failed to load summary. Please try again.')).toBeVisible()
  await page.getByLabel('Account Group').selectOption('Canadian Pool Local')
  await expect(page.getByText('Couldn’t load that group. Please try another or retry.')).toBeVisible()
  await page.unroute('**/api/account-group-plans/**')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('0 results')).toBeVisible()
})

test('the filter bar stays in view while the plans scroll', async ({ app, page }) => {
  await respondWithPlans(page, buildPlans(200))
  await open(app)
  await expect(cards(page)).toHaveCount(24)
  await cards(page).last().scrollIntoViewIfNeeded()
  await expect(page.getByPlaceholder('Search plans…')).toBeInViewport()
})

test('other users get the forbidden page', async ({ app, page }) => {
  const { session } = await createActiveUser(tenant)
  await app.remember(session)
  await page.goto(`${addresses.url}/dev-dashboard?tenant=${tenant}`)
  await expect(page).toHaveURL(/\/forbidden/)
  await expect(page.getByText('You don’t have permission to view this page.')).toBeVisible()
})
