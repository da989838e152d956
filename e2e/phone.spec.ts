import type { Locator, Page } from '@playwright/test'
import { App, expect, test } from './app.ts'
import { waitUntilLoaded } from './every-page.ts'
import { knownFleet } from './known-fleet.ts'
import { getAdminSession } from './users.ts'

/** Scrolling elements in the content of a page, other than the page itself. */
const listScrollingBoxes = (page: Page) =>
  page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll<HTMLElement>('*')]
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
      .filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowY))
      .map(({ className }) => className),
  )

const getBox = async (locator: Locator) =>
  (await locator.boundingBox()) as { x: number; y: number; width: number; height: number }

for (const width of [390, 360]) {
  test.describe(`a phone of ${width} px`, () => {
    test.use({ viewport: { width, height: 740 }, hasTouch: true, isMobile: true })

    test('the dashboard begins with its terminals, and the page scrolls to the last', async ({ app, page }) => {
      const opensFonts = Promise.withResolvers<void>()
      await page.route(/\.woff2$/, async (route) => {
        await opensFonts.promise
        await route.continue()
      })
      await app.openDashboard('known')
      const { y } = await getBox(app.rows.first())
      expect(y).toBeLessThan(250)
      opensFonts.resolve()
      await page.evaluate(() => document.fonts.ready)
      expect((await getBox(app.rows.first())).y).toBe(y)
      for (const name of ['Online', 'Offline', 'No Data', 'Disabled'])
        await expect(app.chip(name).getByText(name)).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('link', { name: 'Terminal Table' })).toBeInViewport({ ratio: 1 })
      const events = page.getByRole('button', { name: 'Events', exact: true })
      await expect(events).toBeInViewport({ ratio: 1 })
      expect(await listScrollingBoxes(page)).toEqual([])
      const list = page.getByRole('list', { name: 'Terminals' })
      await expect(list.getByRole('listitem').last()).toHaveAttribute('aria-setsize', String(knownFleet.length))
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      await expect(app.rows.filter({ hasText: 'Timed Post' })).toBeInViewport()
      // Only the rows around the viewport are rendered.
      await expect(app.rows.filter({ hasText: 'Adak Cabin' })).toHaveCount(0)
    })

    test('the words of late data are no taller than the buttons next to them', async ({ app, page }) => {
      await app.openDashboard('late')
      const words = page.getByText(/^Delayed · data is \d+ (min|h) old$/)
      await expect(words).toBeInViewport({ ratio: 1 })
      const buttons = await getBox(page.getByRole('link', { name: 'Terminal Table' }))
      expect((await getBox(words)).height).toBeLessThanOrEqual(buttons.height)
      const longest = words.getByText('Delayed', { exact: true })
      expect(await longest.evaluate((word) => word.getClientRects().length)).toBe(1)
    })

    test('the menu leads into the past and the page back to the present', async ({ app, page }) => {
      await app.openDashboard('known')
      await page.getByRole('button', { name: /, account$/ }).tap()
      await page.getByRole('menuitem', { name: 'Go back in time…' }).tap()
      const bar = page.getByRole('region', { name: 'Time travel' })
      await expect(bar).toContainText('As of')
      await bar.getByRole('button', { name: 'Back to live' }).tap()
      await expect(bar).toHaveCount(0)
    })

    test('events open over the dashboard and close again', async ({ app, page }) => {
      await app.openDashboard('known')
      const button = page.getByRole('button', { name: 'Events', exact: true })
      await button.tap()
      const drawer = page.getByRole('complementary', { name: 'Events' })
      await expect(drawer).toBeInViewport()
      await drawer.getByRole('button', { name: 'Close events' }).tap()
      await expect(drawer).toHaveCount(0)
      await expect(button).toBeFocused()
    })

    test('every place of the bar is in the window', async ({ app, page }) => {
      await app.remember(await getAdminSession('known'))
      await app.open('/support', 'known')
      await page.getByRole('button', { name: 'Menu', exact: true }).tap()
      const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
      await expect(places).toHaveText(['Home', 'Dashboard', 'Support', 'Admin', 'Access Control', 'Plan Manager'])
      for (const place of await places.all()) await expect(place).toBeInViewport({ ratio: 1 })
      await places.getByText('Dashboard').tap()
      await expect(page).toHaveURL((url) => url.pathname === '/dashboard')
      await expect(places.first()).toBeHidden()
    })

    test('the name of the company is not cut off', async ({ app, page }) => {
      await app.remember(await getAdminSession('dishboard'))
      await app.open('/support', 'dishboard')
      await expect(page.getByRole('button', { name: /, account$/ })).toBeVisible()
      const name = page.getByRole('banner').getByText('Dishboard', { exact: true })
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    })

    test('the name of the company is not cut off for visitors', async ({ app, page }) => {
      await app.open('/login', 'dishboard')
      const banner = page.getByRole('banner')
      await expect(banner.getByRole('link', { name: 'Sign In' })).toBeVisible()
      await expect(banner.getByRole('button', { name: 'Open Ticket' })).toBeVisible()
      await page.evaluate(async () => void (await document.fonts.ready))
      const name = banner.getByText('Dishboard', { exact: true })
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    })

    test('long lists of the profile make the page longer, and what saves the choice stays in reach', async ({
      app,
      page,
    }) => {
      await app.remember(await getAdminSession('known'))
      await app.open('/profile', 'known')
      const choices = page.getByRole('group', { name: 'Terminals', exact: true })
      await choices.getByRole('checkbox').first().scrollIntoViewIfNeeded()
      expect(await listScrollingBoxes(page)).toEqual([])
      await expect(page.getByRole('button', { name: 'Confirm' }).last()).toBeInViewport({ ratio: 1 })
    })

    test('buttons and fields have the height that a finger needs, and no phone zooms into a field', async ({
      app,
      page,
    }) => {
      await app.remember(await getAdminSession('known'))
      for (const path of ['/admin-page', '/editing-logs', '/dev-dashboard', '/settings']) {
        await app.open(path, 'known')
        await waitUntilLoaded(page)
        const low = await page.getByRole('main').evaluate((main) =>
          [...main.querySelectorAll<HTMLElement>('.mantine-Button-root, .mantine-Input-input')]
            .filter((control) => control.checkVisibility())
            .map((control) => ({
              name: control.textContent,
              heightPx: control.getBoundingClientRect().height,
              leastPx: control.closest('li, td') ? 36 : 44,
            }))
            .filter(({ heightPx, leastPx }) => heightPx < leastPx),
        )
        expect(low, path).toEqual([])
        const types = await page
          .getByRole('main')
          .evaluate((main) =>
            [...main.querySelectorAll('input:not([type=checkbox])')].map((it) => getComputedStyle(it).fontSize),
          )
        expect(new Set(types), path).toEqual(new Set(['16px']))
      }
    })

    test('a table is a list of cards as long as the page', async ({ app, page }) => {
      await app.remember(await getAdminSession('known'))
      await app.open('/terminaltable', 'known')
      const cards = page.getByRole('list', { name: 'Terminals' }).getByRole('listitem')
      await expect(cards.first()).toContainText('Adak Cabin')
      expect(await listScrollingBoxes(page)).toEqual([])
      await expect(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        await expect(cards.filter({ hasText: 'Timed Post' })).toBeInViewport({ timeout: 2000 })
      }).toPass()
      await expect(cards.filter({ hasText: 'Adak Cabin' })).toHaveCount(0)
    })
  })
}

test('between phone and desk no place is cut off', async ({ app, page }) => {
  await page.setViewportSize({ width: 768, height: 800 })
  await app.remember(await getAdminSession('known'))
  await app.open('/support', 'known')
  const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(places).toHaveCount(6)
  for (const place of await places.all()) await expect(place).toBeInViewport({ ratio: 1 })
})

test('a terminal picked on the map is in view in the list of a phone', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  const app = new App(page)
  await app.openDashboard('known')
  await page.getByRole('searchbox').fill('post 24')
  await expect(app.rows).toHaveCount(1)
  await page.getByText('Map', { exact: true }).tap()
  const map = page.getByRole('application', { name: 'Map' })
  await expect(map).toHaveAttribute('data-markers', '1')
  await page.getByRole('button', { name: 'Show all terminals' }).tap()
  await expect(async () => {
    await map.tap()
    await expect(page.getByRole('region', { name: 'Post 24' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await page.getByRole('searchbox').fill('')
  await page.getByText('List', { exact: true }).tap()
  await expect(app.rows.filter({ hasText: 'Post 24' })).toBeInViewport()
  await context.close()
})
