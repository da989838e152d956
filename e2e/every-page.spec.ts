import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { openedBy, pages, waitUntilLoaded } from './every-page.ts'
import {
  listCutTexts,
  listFilledActions,
  listMisplacedPlaceholders,
  listSpaceBelow,
  listUnevenRows,
  listUnexplainedControls,
  listWrongFigures,
} from './page-faults.ts'
import { listOnline } from './terminal-page.ts'
import { getAdminSession } from './users.ts'

const listFaults = async (page: Page, title: string) => {
  const filled = await page.evaluate(listFilledActions)
  const cut = await page.evaluate(listCutTexts)
  const unexplained = await page.evaluate(listUnexplainedControls)
  const below = await page.evaluate(listSpaceBelow)
  const figures = await page.evaluate(listWrongFigures)
  const uneven = await page.evaluate(listUnevenRows)
  const tooMany = filled.length > 1 ? [`filled: ${filled.join(', ')}`] : []
  const found = [...tooMany, ...cut, ...unexplained, ...below, ...figures, ...uneven]
  return found.map((fault) => `${title}: ${fault}`)
}

/** The faults of the open page on a computer and on a phone. */
const listFaultsByWidth = async (page: Page, title: string) => {
  const faults: string[] = []
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await waitUntilLoaded(page)
    faults.push(...(await listFaults(page, `${title} at ${width} px`)))
  }
  return faults
}

// The second has no terminals and nothing else either.
for (const tenant of ['dishboard', 'tiles'])
  test(`the pages of ${tenant} have one filled action, and no label or figure is cut off`, async ({ app, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await app.remember(await getAdminSession(tenant))
    const [line] = tenant === 'dishboard' ? await listOnline(tenant) : []
    const faults: string[] = []
    for (const path of pages) {
      if (path.includes('{nickname}') && !line) continue
      await app.open(path.replace('{nickname}', encodeURIComponent(line?.nickname ?? '')), tenant)
      faults.push(...(await listFaultsByWidth(page, path)))
      const name = openedBy[path]
      if (name === undefined) continue
      await page.getByRole('main').getByText(name, { exact: true }).click()
      faults.push(...(await listFaultsByWidth(page, `${path}, ${name}`)))
    }
    expect(faults).toEqual([])
  })

test('tables whose columns have room for it do not scroll horizontally', async ({ app, page }) => {
  await app.remember(await getAdminSession('dishboard'))
  const tables: [path: string, label: string, width: number][] = [
    ['/plan-manager', 'Defined pools', 1280],
    ['/maintenance', 'Maintenance windows', 1280],
    ['/webhooks', 'Webhooks', 1280],
    ['/deliveries', 'Deliveries', 1280],
    ['/security-events', 'Security events', 1440],
    ['/availability', 'Groups', 1440],
  ]
  for (const [path, label, width] of tables) {
    await page.setViewportSize({ width, height: 900 })
    await app.open(path)
    const table = page.getByRole('region', { name: label, exact: true })
    await expect(table, path).toBeVisible()
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), path).toBe(0)
  }
})

test('while their data loads, pages show placeholders where it will be', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession('dishboard'))
  const [line] = await listOnline('dishboard')
  // The shell has its data; what a page requests stays without a response.
  await page.route(/\/api\/(?!config|verify-token|rbac|demo|token|live)/, () => {})
  const faults: string[] = []
  for (const path of [...pages, '/dashboard?events=all']) {
    await app.open(path.replace('{nickname}', encodeURIComponent(line?.nickname ?? '')))
    await expect(page.getByRole('main')).not.toBeEmpty()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const found = await page.evaluate(listMisplacedPlaceholders)
      faults.push(...found.map((fault) => `${path} at ${width} px: ${fault}`))
    }
  }
  expect(faults).toEqual([])
})

test('a page that waits long for its data says so until it arrives', async ({ app, page }) => {
  await page.clock.install()
  await app.remember(await getAdminSession('dishboard'))
  const held = Promise.withResolvers<void>()
  await page.route('**/api/incidents/**', async (route) => {
    await held.promise
    await route.continue()
  })
  await app.open('/incidents')
  const words = page.getByText('This takes longer than usual. Still waiting for the server…')
  await expect(page.getByRole('heading', { name: 'Incidents' })).toBeVisible()
  await expect(async () => {
    await page.clock.runFor(2_000)
    await expect(words).toBeVisible({ timeout: 200 })
  }).toPass()
  held.resolve()
  await expect(words).toHaveCount(0)
})

test('a tenant without plans is not asked to clear filters', async ({ app, page }) => {
  await app.remember(await getAdminSession('tiles'))
  await app.open('/dev-dashboard', 'tiles')
  await expect(page.getByText('No plans yet')).toBeVisible()
  await expect(page.getByText('No plans in this month.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear all' })).toHaveCount(0)
})

test('without a phone or mail address of support, the footer leads to the page', async ({ app, page }) => {
  await app.open('/', 'tiles')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Support' }).click()
  await expect(page.getByRole('heading', { name: 'Support' })).toBeVisible()
})

for (const width of [390, 360])
  test(`at ${width} px the fleet pages say that they are disconnected, with whole words`, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 800 })
    await app.remember(await getAdminSession('dishboard'))
    const json = { error: 'busy', message: 'The service is busy. Please try again in a few seconds.' }
    await page.route(/\/api\/(?:terminals|live)\//, (route) => route.fulfill({ status: 503, json }))
    const faults: string[] = []
    for (const path of ['/dashboard', '/terminaltable']) {
      await app.open(path)
      await expect(page.getByText(/^Disconnected since/)).toBeVisible()
      await page.evaluate(async () => void (await document.fonts.ready))
      faults.push(...(await listFaults(page, path)))
    }
    expect(faults).toEqual([])
  })
