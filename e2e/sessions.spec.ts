import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { advanceUntilVisible, pauseClock } from './paused-clock.ts'
import { callApi, createActiveUser, getAdminSession, type Session, startSession } from './users.ts'

const readStoredTokens = (page: Page) =>
  page.evaluate(() => [localStorage.getItem('access'), localStorage.getItem('refresh')] as const)

/** A token whose exp claim is in the past. */
const expired = `x.${Buffer.from(JSON.stringify({ exp: 1000 })).toString('base64url')}.y`

const userSession = () => startSession('dishboard', 'user@dishboard.example', 'User-demo-1')

/** Stores tokens once, so that the page can change them later. */
async function storeTokens(page: Page, session: Session) {
  await page.goto(`${addresses.url}/healthz`)
  await page.evaluate(({ access, refresh }) => {
    localStorage.setItem('access', access)
    localStorage.setItem('refresh', refresh)
  }, session)
}

test('five tabs opened with an expired token all sign in with a single refresh', async ({ page, context }) => {
  await storeTokens(page, { ...(await userSession()), access: expired })
  const renewals: string[] = []
  context.on('request', (request) => request.url().includes('/token/refresh/') && renewals.push(request.url()))
  const tabs = await Promise.all(Array.from({ length: 5 }, () => context.newPage()))
  await Promise.all(tabs.map((tab) => tab.goto(`${addresses.url}/dashboard?tenant=dishboard`)))
  for (const tab of tabs) {
    await expect(tab.getByRole('button', { name: 'Tom Attla, account' })).toBeVisible()
    await expect(tab).toHaveURL((url) => url.pathname === '/dashboard')
  }
  expect(renewals).toHaveLength(1)
  expect((await readStoredTokens(page))[0]).not.toBe(expired)
})

test('a rejected access token is renewed once and the page continues', { tag: '@core' }, async ({ app, page }) => {
  await storeTokens(page, { ...(await userSession()), access: 'spoiled' })
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/token/refresh/') && renewals.push(request.url()))
  await app.open('/dashboard')
  await expect(app.rows.first()).toBeVisible()
  expect(renewals).toHaveLength(1)
})

test('a rejected refresh leads to the sign-in and clears both tokens', { tag: '@core' }, async ({ app, page }) => {
  await storeTokens(page, { access: expired, refresh: 'spoiled' })
  await app.open('/dashboard')
  await expect(page.getByRole('heading', { name: 'SIGN IN' })).toBeVisible()
  expect(await readStoredTokens(page)).toEqual([null, null])
})

test('a refresh token without an access token is cleared on start', async ({ app, page }) => {
  await storeTokens(page, await userSession())
  await page.evaluate(() => localStorage.removeItem('access'))
  await app.open('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(await readStoredTokens(page)).toEqual([null, null])
})

for (const path of ['token/refresh', 'verify-token'])
  test(`while ${path} is unreachable the page waits with its tokens, then continues`, async ({ app, page }) => {
    const session = { ...(await userSession()), access: expired }
    await storeTokens(page, session)
    await page.route(`**/api/${path}/`, (route) => route.abort())
    await app.open('/dashboard')
    await expect(page.getByText('Loading...')).toBeVisible()
    expect((await readStoredTokens(page))[1]).toBe(session.refresh)
    await page.unroute(`**/api/${path}/`)
    await expect(app.rows.first()).toBeVisible()
  })

test('after ten seconds Retry requests again at once, and so does the online event', async ({ app, page }) => {
  await storeTokens(page, await userSession())
  let requests = 0
  await page.route('**/api/verify-token/', (route) => {
    requests++
    return route.fulfill({ status: 503, body: '' })
  })
  await page.clock.install()
  await app.open('/dashboard')
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
  await page.clock.runFor(11_000)
  const before = requests
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => requests).toBeGreaterThan(before)
  const afterRetry = requests
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(() => requests).toBeGreaterThan(afterRetry)
  await page.unroute('**/api/verify-token/')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Tom Attla, account' })).toBeVisible()
})

test('settings that fail to load offer Retry after ten seconds', async ({ app, page }) => {
  await page.route('**/api/config/', (route) => route.abort())
  await page.clock.install()
  await app.open('/')
  await expect(page.getByText('Loading tenant settings...')).toBeVisible()
  const retry = page.getByRole('button', { name: 'Retry' })
  // The ten seconds start a moment after the text appears.
  await expect(async () => {
    await page.clock.runFor(11_000)
    await expect(retry).toBeVisible({ timeout: 5000 })
  }).toPass()
  // Otherwise an automatic retry could succeed before the click.
  await pauseClock(page)
  await page.unroute('**/api/config/')
  await retry.click()
  await advanceUntilVisible(page, page.getByRole('link', { name: 'Client Portal & Performance Dashboard' }))
})

test('logging out asks first, goes home, signs out the other tabs and ends the session', { tag: '@core' }, async ({
  app,
  page,
  context,
}) => {
  await storeTokens(page, await userSession())
  const other = await context.newPage()
  await other.goto(`${addresses.url}/dashboard?tenant=dishboard`)
  await expect(other.getByRole('button', { name: 'Tom Attla, account' })).toBeVisible()
  await app.open('/dashboard')
  await page.getByRole('button', { name: 'Tom Attla, account' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page.getByText('Are you sure you want to log out?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  await expect(page.getByRole('button', { name: /^Continue to/ })).toBeHidden()
  const [access, refresh] = await readStoredTokens(page)
  expect(access).toBeNull()
  expect((await callApi('dishboard', 'POST', '/token/refresh/', { body: { refresh } })).status).toBe(401)
  await expect(other).toHaveURL(/\/login/)
})

test('/logout clears local storage and leads to the sign-in', { tag: '@core' }, async ({ app, page }) => {
  const session = await userSession()
  await storeTokens(page, session)
  await page.evaluate(() => localStorage.setItem('darkMode', 'true'))
  await app.open('/logout')
  await expect(page.getByRole('heading', { name: 'SIGN IN' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  const { status } = await callApi('dishboard', 'POST', '/token/refresh/', { body: { refresh: session.refresh } })
  expect(status).toBe(401)
})

test('a deleted user is signed out on the next page load', async ({ app, page }) => {
  const user = await createActiveUser('dishboard')
  await storeTokens(page, user.session)
  await app.open('/dashboard')
  await expect(page.getByRole('button', { name: 'Robin Tester, account' })).toBeVisible()
  const { access } = await getAdminSession('dishboard')
  const { status } = await callApi('dishboard', 'DELETE', `/delete-user/${user.id}/`, { token: access })
  expect(status).toBe(200)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'SIGN IN' })).toBeVisible()
  expect(await readStoredTokens(page)).toEqual([null, null])
})
