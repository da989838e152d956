import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'

const retry = (page: Page) => page.getByRole('button', { name: 'Retry' })

/** Blocks requests for an asset; returns a function that unblocks it. */
const blockAsset = async (page: Page, name: RegExp) => {
  await page.route(name, (route) => route.abort('connectionreset'))
  return () => page.unroute(name)
}

test('when the app bundle fails to load, the page says so and offers a retry', async ({ app, page }) => {
  const unblock = await blockAsset(page, /\/assets\/app-[^/]+\.js$/)
  await app.open('/login')
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded.')
  await unblock()
  await retry(page).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('when the code of a page fails to load, the rest of the app keeps working', async ({ app, page }) => {
  await app.open('/')
  const unblock = await blockAsset(page, /\/assets\/SupportPage-[^/]+\.js$/)
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'This page could not be shown.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
  await unblock()
  await retry(page).click()
  await expect(page.getByRole('heading', { name: 'Support', level: 1 })).toBeVisible()
})

test('the list does not wait for the map and stays usable when the map fails to load', async ({ app, page }) => {
  const unblock = await blockAsset(page, /\/assets\/TerminalMap-[^/]+\.js$/)
  await app.openDashboard()
  await expect(page.getByRole('alert').filter({ hasText: 'The map could not be loaded.' })).toBeVisible()
  await expect(app.rows.first()).toBeVisible()
  await unblock()
  await retry(page).click()
  await expect(page.getByRole('region', { name: 'Map of terminals' })).toBeVisible()
  await expect(app.rows.first()).toBeVisible()
})

test('code that fails to load once is retried automatically', async ({ app, page }) => {
  let lost = 0
  await page.route(/\/assets\/TerminalMap-[^/]+\.js$/, (route) => (lost++ === 0 ? route.abort() : route.continue()))
  await app.openDashboard()
  await expect(page.getByRole('region', { name: 'Map of terminals' })).toBeVisible()
  expect(lost).toBeGreaterThan(1)
})

test('styles that fail to load once are reloaded automatically', async ({ app, page }) => {
  let lost = 0
  await page.route(/\/assets\/mantine-deferred-[^/]+\.css$/, (route) =>
    lost++ === 0 ? route.abort() : route.continue(),
  )
  await app.open('/login')
  await retry(page).click()
  // The border belongs to the wrapper, so the input itself has none.
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveCSS('border-top-width', '0px')
  expect(lost).toBeGreaterThan(1)
})
