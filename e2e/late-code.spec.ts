import type { Page } from '@playwright/test'
import { expect, test } from './house.ts'

const retry = (page: Page) => page.getByRole('button', { name: 'Retry' })

/** From now on code of this name does not arrive; answers how to let it through again. */
const lose = async (page: Page, name: RegExp) => {
  await page.route(name, (route) => route.abort('connectionreset'))
  return () => page.unroute(name)
}

test('where the app itself does not arrive, the page says so and offers to try again', async ({ house, page }) => {
  const letThrough = await lose(page, /\/assets\/app-[^/]+\.js$/)
  await house.open('/login')
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded.')
  await letThrough()
  await retry(page).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('where the code of a page does not arrive, the rest of the portal stays', async ({ house, page }) => {
  await house.open('/')
  const letThrough = await lose(page, /\/assets\/SupportPage-[^/]+\.js$/)
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'This page could not be shown.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
  await letThrough()
  await retry(page).click()
  await expect(page.getByRole('heading', { name: 'Support', level: 1 })).toBeVisible()
})

test('the list does not wait for the map, and stays where the map never comes', async ({ house, page }) => {
  const letThrough = await lose(page, /\/assets\/TerminalMap-[^/]+\.js$/)
  await house.openDashboard()
  await expect(page.getByRole('alert').filter({ hasText: 'The map could not be loaded.' })).toBeVisible({
    timeout: 15_000,
  })
  await expect(house.rows.first()).toBeVisible()
  await letThrough()
  await retry(page).click()
  await expect(page.getByRole('region', { name: 'Map of terminals' })).toBeVisible()
  await expect(house.rows.first()).toBeVisible()
})

test('code that is lost once is asked for again without anybody doing anything', async ({ house, page }) => {
  let lost = 0
  await page.route(/\/assets\/TerminalMap-[^/]+\.js$/, (route) => (lost++ === 0 ? route.abort() : route.continue()))
  await house.openDashboard()
  await expect(page.getByRole('region', { name: 'Map of terminals' })).toBeVisible({ timeout: 15_000 })
  expect(lost).toBeGreaterThan(1)
})

test('styles that are lost come by themselves', async ({ house, page }) => {
  let lost = 0
  await page.route(/\/assets\/mantine-later-[^/]+\.css$/, (route) => (lost++ === 0 ? route.abort() : route.continue()))
  await house.open('/login')
  await retry(page).click()
  // Of the field within its frame, which has an edge of its own.
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveCSS('border-top-width', '0px')
  expect(lost).toBe(2)
})
