import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { displayVariants } from './display-variants.ts'
import { callApi, createActiveUser, getAdminSession } from './users.ts'

/** On a phone the links are behind a button. */
async function openPlaces(page: Page) {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if ((page.viewportSize()?.width ?? 0) < 768) await menu.click()
  else await expect(menu).toBeHidden()
}

const listNavLinks = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()

for (const { tenant, company, phone, email, viewport, title } of displayVariants) {
  test.describe(title, () => {
    test.use({ viewport })

    test('navbar and footer show links, contacts and copyright', async ({ app, page }) => {
      await app.open('/', tenant)
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
      await openPlaces(page)
      expect(await listNavLinks(page)).toEqual(['Home', 'Dashboard', 'Support'])
      const footer = page.getByRole('contentinfo')
      await expect(footer).toContainText('Contact Support')
      await expect(footer.getByRole('link', { name: phone })).toHaveAttribute(
        'href',
        `tel:${phone.replaceAll(' ', '')}`,
      )
      await expect(footer.getByRole('link', { name: email })).toHaveAttribute('href', `mailto:${email}`)
      await expect(footer).toContainText(`© ${new Date().getFullYear()} ${company}`)
      await page.getByRole('link', { name: 'Support', exact: true }).click()
      await expect(page).toHaveTitle(`Support · ${company}`)
      await openPlaces(page)
      await expect(page.getByRole('link', { name: 'Support', exact: true })).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('link', { name: 'Home', exact: true })).not.toHaveAttribute('aria-current')
      await page.getByRole('banner').getByRole('link', { name: company }).click()
      await expect(page).toHaveURL((url) => url.pathname === '/')
      await expect(page).toHaveTitle(company)
    })

    test('admins see all links, and the menu holds Profile and Log Out', async ({ app, page }) => {
      await app.remember(await getAdminSession(tenant))
      await app.open('/', tenant)
      await expect(page.getByRole('button', { name: 'Dana Whitfield, account' })).toBeVisible()
      await openPlaces(page)
      await expect.poll(() => listNavLinks(page)).toContain('Plan Manager')
      expect(await listNavLinks(page)).toEqual([
        'Home',
        'Dashboard',
        'Support',
        'Admin',
        'Access Control',
        'Plan Manager',
      ])
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeHidden()
      await page.getByRole('button', { name: 'Dana Whitfield, account' }).click()
      await expect(page.getByRole('menuitem')).toHaveText(['Profile', 'Log Out'])
      await page.getByRole('menuitem', { name: 'Profile' }).click()
      await expect(page).toHaveURL((url) => url.pathname === '/profile')
    })
  })
}

test('Plan Manager is shown to users with the permission, and an error counts as no permission', async ({
  app,
  page,
}) => {
  const user = await createActiveUser('dishboard')
  await app.remember(user.session)
  await app.open('/')
  await expect(page.getByRole('button', { name: 'Robin Tester, account' })).toBeVisible()
  expect(await listNavLinks(page)).toEqual(['Home', 'Dashboard', 'Support'])
  const { access } = await getAdminSession('dishboard')
  const body = { user_id: user.id, item_code: 'plan_manager', value: 'true' }
  expect((await callApi('dishboard', 'PATCH', '/acp/value/', { token: access, body })).status).toBe(200)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Plan Manager' })).toBeVisible()
  expect(await listNavLinks(page)).toEqual(['Home', 'Dashboard', 'Support', 'Plan Manager'])
  await page.route('**/api/rbac/my-effective/**', (route) => route.fulfill({ status: 403, json: { message: 'No.' } }))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Robin Tester, account' })).toBeVisible()
  expect(await listNavLinks(page)).toEqual(['Home', 'Dashboard', 'Support'])
})

test('an unknown path shows the not-found page', { tag: '@core' }, async ({ app, page }) => {
  await app.open('/no/such/page')
  await expect(page.getByRole('heading')).toHaveText('N O T  F O U N D', { useInnerText: true })
  await expect(page).toHaveTitle('Not found · Dishboard')
})

test('the forbidden page says why', { tag: '@core' }, async ({ app, page }) => {
  await app.open('/forbidden')
  await expect(page.getByText('You don’t have permission to view this page.')).toBeVisible()
  await expect(page).toHaveTitle('Forbidden · Dishboard')
})

test('pages fade in for 300 ms, or not at all with reduced motion', async ({ app, page }) => {
  const fade = () =>
    page.getByRole('main').evaluate((main) => {
      const { animationName, animationDuration } = getComputedStyle(main)
      return { moves: animationName !== 'none', animationDuration }
    })
  await app.open('/')
  expect(await fade()).toEqual({ moves: true, animationDuration: '0.3s' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect((await fade()).moves).toBe(false)
})

test('the skip link moves focus to the content', async ({ app, page }) => {
  await app.open('/')
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the keyboard opens the account menu, asks to log out and cancels', { tag: '@core' }, async ({ app, page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/')
  const account = page.getByRole('button', { name: 'Dana Whitfield, account' })
  await account.focus()
  await page.keyboard.press('Enter')
  const profile = page.getByRole('menuitem', { name: 'Profile' })
  await expect(profile).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(profile).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Log Out' })
  await expect(question).toContainText('Are you sure you want to log out?')
  await expect(question.locator(':focus')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(account).toBeVisible()
})

test('the chosen color scheme survives a reload and wins over the system’s', async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await app.open('/')
  await page.getByRole('button', { name: 'Use dark colors' }).click()
  // The tenant's images and the browser's own controls follow it.
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('the licenses of code, fonts and map data are served as text', async ({ request }) => {
  const response = await request.get(`${addresses.url}/licenses.txt`)
  expect(response.headers()['content-type']).toContain('text/plain')
  const notices = await response.text()
  for (const name of ['@mantine/core', '@fontsource-variable/inter', 'world-atlas'])
    expect(notices).toContain(`## ${name} - `)
})

test('the dashboard violates no content security policy and contacts no other host', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const foreignUrls: string[] = []
  const consoleErrors: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') foreignUrls.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()))
  await app.openDashboard()
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
  expect(foreignUrls).toEqual([])
  expect(consoleErrors).toEqual([])
})
