import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'

test('Ctrl K finds terminals, people and pages from every page, with the keyboard alone', async ({ app, page }) => {
  await app.openDashboard()
  const name = await app.rows.first().locator('span span').first().innerText()
  const box = await app.find('availab')
  await expect(page.getByRole('option', { name: 'Availability' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Availability', level: 1 })).toBeVisible()
  // This page has no search box, so the slash opens the palette.
  await page.keyboard.press('/')
  await expect(box).toHaveValue('')
  await box.fill(name.toUpperCase())
  await page.getByRole('option', { name }).first().click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})

test('a search by fields is completed, shows what matches and opens as a list', async ({ app, page }) => {
  await app.openDashboard()
  const box = await app.find('stat')
  await page.getByRole('option', { name: /^status:/ }).click()
  await expect(box).toHaveValue('status:')
  await page.getByRole('option', { name: /^status:online/ }).click()
  await page.getByRole('option', { name: /^Show all \d+ terminals in the list/ }).click()
  await expect(page).toHaveURL(/q=status%3Aonline|q=status:online/)
  await expect(app.rows.first()).toContainText('Online')
  await expect(app.rows.filter({ hasNotText: 'Online' })).toHaveCount(0)
  const search = page.getByRole('searchbox', { name: 'Search terminals' })
  await search.fill('-status:online ci')
  await page.getByRole('listbox', { name: 'Search by' }).waitFor()
  await search.press('ArrowUp')
  await search.press('Enter')
  await expect(search).toHaveValue('-status:online city:')
  await expect(app.rows.first()).toBeVisible()
  await expect(app.rows.filter({ hasText: 'Online' })).toHaveCount(0)
})

test('a reboot that was found is confirmed on the page of the terminal', async ({ app, page }) => {
  await app.openDashboard()
  const name = await app.rows.filter({ hasText: 'Online' }).first().locator('span span').first().innerText()
  await app.find(`reboot ${name}`)
  await page
    .getByRole('option', { name: `Reboot ${name}…` })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: `Reboot ${name}?` })).toBeVisible()
})

test('terminals that could not be loaded are not reported as not found', async ({ app, page }) => {
  const busy = { status: 400, json: { message: 'Out of order.' } }
  await page.route(/\/api\/terminals\/(?:\?|$)/, (route) => route.fulfill(busy))
  await app.openAsNewUser('/support')
  await app.find('harbor')
  await expect(page.getByRole('dialog').getByText('The terminals could not be loaded.')).toBeVisible()
  await expect(page.getByText('Nothing found.')).toHaveCount(0)
})

for (const [tenant, path, filter] of [
  ['known', '/dashboard', 'none'],
  ['late', '/dashboard', 'grayscale(1)'],
  ['late', '/support', 'grayscale(1)'],
] as const)
  test(`statuses found over ${path} in the fleet '${tenant}' have the filter ${filter}, because old ones have no color`, async ({
    app,
    page,
  }) => {
    await app.openAsNewUser(path, tenant)
    await app.find('status:online')
    const status = page.getByRole('option').getByText('Online', { exact: true }).first()
    await expect(status).toHaveCSS('filter', filter)
  })

test('axe finds no violations in the palette', async ({ app, page }) => {
  await app.openDashboard('known')
  await app.find('status:o')
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
  await expectAccessibleInDisplays(page)
})

test('what is typed before the palette has loaded is searched for', async ({ app, page }) => {
  const held = Promise.withResolvers<void>()
  await page.route(/\/assets\/Palette-[\w-]+\.js/, async (route) => {
    await held.promise
    await route.continue()
  })
  await app.openDashboard()
  await expect(page.getByRole('button', { name: 'Find', exact: true })).toBeVisible()
  const requested = page.waitForRequest(/\/assets\/Palette-/)
  await app.rows.first().focus()
  await page.keyboard.press('Control+k')
  await requested
  const opened: unknown[] = []
  page.on('popup', (popup) => opened.push(popup))
  await page.keyboard.press('Enter')
  await page.keyboard.type('availabx')
  await page.keyboard.press('Backspace')
  held.resolve()
  await expect(page.getByRole('combobox', { name: /^Find/ })).toHaveValue('availab')
  await expect(page.getByRole('option', { name: 'Availability' })).toHaveAttribute('aria-selected', 'true')
  expect(opened).toEqual([])
})

test('what is typed right after Ctrl K is searched for, each time', async ({ app, page }) => {
  await app.openDashboard()
  await expect(page.getByRole('button', { name: 'Find', exact: true })).toBeVisible()
  // As slow as a phone, whose dialog takes a while to open.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const box = page.getByRole('combobox', { name: /^Find/ })
  for (const text of ['availab', 'mainten', 'incid']) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await expect(box).toHaveValue(text)
    await page.keyboard.press('Escape')
    await expect(box).toHaveCount(0)
  }
})
