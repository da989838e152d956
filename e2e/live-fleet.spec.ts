import { expect, takeTerminal, test } from './app.ts'
import { getAdminSession, startSession } from './users.ts'

test('every terminal of the list has a marker on the map', { tag: '@core' }, async ({ app, page }) => {
  await app.openDashboard()
  const map = page.getByRole('application', { name: 'Map' })
  const total = Number(await app.rows.first().locator('xpath=..').getAttribute('aria-setsize'))
  await expect(map).toHaveAttribute('data-markers', String(total))
  const painted = () =>
    page.locator('canvas.map-markers').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const pixels = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, width, height).data
      return pixels.filter((value, index) => index % 4 === 3 && value === 255).length
    })
  await expect.poll(painted).toBeGreaterThan(500)
})

test('hovering a row shows its marker’s tooltip, and hovering the marker highlights the row', async ({ app, page }) => {
  await app.openDashboard()
  const row = app.rows.filter({ hasText: 'Attu' }).first()
  await row.hover()
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toContainText('Attu')
  const at = await tooltip.evaluate((element) => {
    const { x, y } = element.getBoundingClientRect()
    return { x, y }
  })
  await page.mouse.move(at.x - 200, at.y - 120)
  await expect(tooltip).toBeHidden()
  await page.mouse.move(at.x, at.y)
  await expect(tooltip).toContainText('Attu')
  await expect(row).toHaveAttribute('data-highlighted')
})

test('chips and search filter the list and are stored in the URL', { tag: '@core' }, async ({ app, page }) => {
  await app.openDashboard()
  const total = await app.rows.count()
  await app.chip('Online').click()
  await expect(page).toHaveURL(/status=online/)
  await expect(app.rows.filter({ hasNotText: 'Online' })).toHaveCount(0)
  await app.chip('Online').click()
  await expect(app.rows).toHaveCount(total)
  await page.keyboard.press('/')
  await page.keyboard.type('ATTU')
  await expect(app.rows.filter({ hasNotText: 'Attu' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('ATTU')
  await page.getByRole('searchbox').fill('no such terminal')
  await expect(page.getByText('No terminals match.')).toBeVisible()
})

test('a row opens its terminal in a new tab', async ({ app, page }) => {
  await app.openDashboard()
  const name = await app.rows.first().locator('span span').first().innerText()
  const opening = page.waitForEvent('popup')
  await app.rows.first().click()
  const tab = await opening
  await expect(tab.getByRole('heading', { name })).toBeVisible()
})

test('a terminal that goes down shows as offline without a reload, in every tab', async ({ app, page, context }) => {
  await app.openDashboard()
  const row = app.rows.filter({ hasText: 'Online' }).filter({ hasNotText: 'Mobile' }).first()
  const path = await row.getAttribute('href')
  const nickname = decodeURIComponent((path as string).split('/')[2]?.split('?')[0] as string)
  const thisRow = page.locator(`a[href="${path}"]`)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.locator(`a[href="${path}"]`)).toContainText('Online')

  let loads = 0
  page.on('load', () => loads++)
  await takeTerminal(nickname, 'down')
  await expect(thisRow).toContainText('Offline', { timeout: 240_000 })
  await expect(other.locator(`a[href="${path}"]`)).toContainText('Offline')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()

  await takeTerminal(nickname, 'up')
  await expect(thisRow).toContainText('Online', { timeout: 240_000 })
  expect(loads).toBe(0)
})

for (const path of ['/dashboard', '/terminaltable'])
  test(`until a new list comes ${path} shows the cached one with its age, and not to another user`, async ({
    app,
    page,
  }) => {
    const name = page.getByText('Attu').first()
    await app.remember(await getAdminSession('dishboard'))
    await app.open(path)
    await expect(name).toBeVisible()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    // Leaves the request pending.
    await page.route(/\/api\/(terminals|terminals\/details|live)\/(\?|$)/, () => {})
    await page.reload()
    await expect(name).toBeVisible()
    await expect(page.getByText(/^Connecting · .+ ago$/)).toBeVisible()

    await app.remember(await startSession('dishboard', 'user@dishboard.example', 'User-demo-1'))
    await page.reload()
    await expect(page.getByText('Connecting', { exact: true })).toBeVisible()
    await expect(name).toBeHidden()
  })

test('signing out clears the cached list', async ({ app, page }) => {
  await app.openDashboard()
  const listCaches = () => page.evaluate(() => caches.keys())
  await expect.poll(listCaches).toContain('dishboard:responses')
  await page.evaluate(() => {
    localStorage.removeItem('access')
    window.dispatchEvent(new StorageEvent('storage'))
  })
  await expect.poll(listCaches).not.toContain('dishboard:responses')
})

const lastLists = [
  { order: 'without the last one', known: false, readAfterMs: 0 },
  { order: 'above the last one', known: true, readAfterMs: 0 },
  { order: 'above the last one that is found later', known: true, readAfterMs: 1000 },
]

for (const { order, known, readAfterMs } of lastLists)
  test(`a list that fails to load says so and can be retried, ${order}`, async ({ app, page }) => {
    if (known) {
      await app.openDashboard()
      const isCached = () => page.evaluate(() => caches.match('/terminals/').then(Boolean))
      await expect.poll(isCached).toBe(true)
    } else await app.remember(await getAdminSession('dishboard'))
    await page.addInitScript((ms) => {
      const open = caches.open.bind(caches)
      caches.open = (name) => new Promise((found) => setTimeout(() => found(open(name)), ms))
    }, readAfterMs)
    // Left pending: an event on the stream would refetch the list.
    await page.route(/\/api\/live\//, () => {})
    await page.route('**/api/terminals/', (route) => route.fulfill({ status: 400, json: { message: 'Out of order.' } }))
    if (known) await page.reload()
    else await app.open('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Out of order.')
    await expect(app.rows.first()).toBeVisible({ visible: known })
    await expect(page.getByRole('alert')).toContainText('Out of order.')
    await page.unroute('**/api/terminals/')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('alert')).toBeHidden()
    await expect(app.rows.first()).toBeVisible()
  })
