import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { startFrontProxy } from './front-proxy.ts'
import { callApi, createActiveUser } from './users.ts'

test.use({ serviceWorkers: 'allow' })

interface CachedFile {
  cache: string
  path: string
  text: string
}

const listCached = (page: Page): Promise<CachedFile[]> =>
  page.evaluate(async () => {
    const cached = []
    for (const cache of await caches.keys())
      for (const request of await (await caches.open(cache)).keys()) {
        const text = (await (await (await caches.open(cache)).match(request))?.text()) ?? ''
        cached.push({ cache, path: new URL(request.url).pathname, text })
      }
    return cached
  })

const isShell = ({ cache }: CachedFile) => cache.startsWith('dishboard:shell:')

/** Waits until the service worker has cached the page with its loaded files, and the cache has the responses. */
const waitUntilCached = async (page: Page, response: RegExp) => {
  await expect(async () => {
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith('/assets/')),
    )
    const cached = await listCached(page)
    const files = cached.filter(isShell).map(({ path }) => path)
    expect(files).toEqual(expect.arrayContaining(['/', ...loaded]))
    expect(cached.some(({ cache, path }) => cache === 'dishboard:responses' && response.test(path))).toBe(true)
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  }).toPass()
}

const list = /^\/terminals\/$/
const detail = /^\/terminals\/[^/]+\/15\/$/
const disconnected = /^Disconnected since \d\d:\d\d · as of \d\d:\d\d$/

/** Opens the first terminal of the list in the same tab. */
const openTerminal = async ({ page, rows }: App) => {
  await page.goto(new URL((await rows.first().getAttribute('href')) as string, page.url()).href)
  await expect(page.getByRole('region', { name: 'Performance' })).toBeVisible()
  return page.getByRole('heading', { level: 1 }).innerText()
}

test('without a connection, a reload shows the last list and the last terminal page, and of when they are', {
  tag: '@core',
}, async ({ app, page, context }) => {
  await app.openAsNewUser('/dashboard')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const count = await app.rows.count()
  await waitUntilCached(page, list)
  const dashboard = page.url()
  const title = await openTerminal(app)
  await waitUntilCached(page, detail)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText(disconnected)).toBeVisible()
  await expect(page.locator('[data-stale]').getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goto(dashboard)
  await expect(app.rows).toHaveCount(count)
  await expect(page.getByText(disconnected)).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.getByText(disconnected)).toBeHidden()
})

test('nothing of a user is left after signing out', async ({ app, page }) => {
  const { email } = await app.openAsNewUser('/dashboard')
  await waitUntilCached(page, list)
  await page.getByRole('button', { name: 'Robin Tester, account' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect.poll(async () => (await listCached(page)).map(({ cache }) => cache)).not.toContain('dishboard:responses')
  const cached = await listCached(page)
  // The page and its files, and the settings that every visitor receives.
  expect(cached.filter((each) => !isShell(each)).map(({ path }) => path)).toEqual(['/config/'])
  expect(cached.filter(({ text }) => text.includes(email) || text.includes('Robin Tester'))).toEqual([])
  const stored = await page.evaluate(async () => ({
    local: Object.keys(localStorage).sort(),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }))
  // The tests' own setting, and the refresh token that signing out leaves behind: the next start deletes it.
  expect(stored).toEqual({ local: ['dataSaver', 'refresh'], session: ['tenant'], databases: [] })
})

test('without a connection, signing out needs no confirmation and leaves nothing of the user', async ({
  app,
  page,
  context,
}) => {
  await app.openAsNewUser('/dashboard')
  await waitUntilCached(page, list)
  await page.getByRole('button', { name: 'Robin Tester, account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect.poll(async () => (await listCached(page)).map(({ cache }) => cache)).not.toContain('dishboard:responses')
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['dataSaver'])
})

test('the next user, a tab of another tenant and an ended session find nothing of the last user', async ({
  app,
  page,
  context,
}) => {
  await app.openAsNewUser('/dashboard')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await waitUntilCached(page, list)
  await context.setOffline(true)
  const other = await context.newPage()
  await expect(other.goto(`${addresses.url}/dashboard?tenant=microcom`)).rejects.toThrow('ERR_')
  await other.close()

  await context.setOffline(false)
  await page.reload()
  await waitUntilCached(page, list)
  await context.setOffline(true)
  const { session } = await createActiveUser('dishboard')
  await page.evaluate(({ access, refresh }) => {
    localStorage.setItem('access', access)
    localStorage.setItem('refresh', refresh)
  }, session)
  await page.reload()
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(app.rows).toHaveCount(0)
  expect((await listCached(page)).map(({ cache }) => cache)).not.toContain('dishboard:responses')

  await context.setOffline(false)
  await expect(app.rows.first()).toBeVisible()
  await waitUntilCached(page, list)
  await context.setOffline(true)
  await callApi('dishboard', 'POST', '/logout/', { token: session.access })
  await page.reload()
  await expect(page.getByText(disconnected)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'SIGN IN' })).toBeVisible()
  await expect.poll(async () => (await listCached(page)).map(({ cache }) => cache)).not.toContain('dishboard:responses')
})

test('another build replaces the page once all of its files are there; without the server the last complete one opens', async ({
  page,
}) => {
  const proxy = await startFrontProxy()
  const release = page.locator('meta[name=release]')
  try {
    const { session } = await createActiveUser('dishboard')
    await page.goto(`${proxy.url}/healthz`)
    await page.evaluate(({ access }) => localStorage.setItem('access', access), session)
    await page.goto(`${proxy.url}/dashboard?tenant=dishboard`)
    await waitUntilCached(page, list)
    proxy.deploy('second', '')
    await page.reload()
    await expect(release).toHaveAttribute('content', 'second')
    await expect
      .poll(async () => (await listCached(page)).some(({ text }) => text.includes('content="second"')))
      .toBe(true)
    proxy.deploy('third', '<link rel="modulepreload" href="/assets/not-there.js">')
    await page.reload()
    await expect(release).toHaveAttribute('content', 'third')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()

    proxy.goDown()
    await page.reload()
    await expect(release).toHaveAttribute('content', 'second')
    await expect(page.getByText(disconnected)).toBeVisible()
    proxy.comeBack()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()

    proxy.deploy('fourth', '')
    proxy.switchOff()
    await page.reload()
    await expect(release).toHaveAttribute('content', 'fourth')
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)))
      .toBe(0)
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
  } finally {
    proxy.close()
  }
})

test('what is not a page of the app is neither cached nor replaced by one', async ({ app, page, context }) => {
  await app.openAsNewUser('/dashboard')
  await waitUntilCached(page, list)
  const paths = [
    '/status',
    '/shared/none',
    '/api/docs',
    '/api/terminals/',
    '/outbox',
    '/unsubscribe/x',
    '/open/x/terminal/x',
    '/healthz',
    '/licenses.txt',
  ]
  const openAll = (action: (path: string) => Promise<unknown>) =>
    paths.reduce((all, path) => all.then(() => action(path)), Promise.resolve<unknown>(undefined))
  await openAll((path) => page.goto(addresses.url + path).catch(() => undefined))
  await app.open('/dashboard')
  const cached = (await listCached(page)).filter(isShell).map(({ path }) => path)
  expect(cached.filter((path) => path !== '/' && !/^\/(assets|brand)\//.test(path))).toEqual([])
  await context.setOffline(true)
  await openAll((path) => expect(page.goto(addresses.url + path)).rejects.toThrow('ERR_INTERNET_DISCONNECTED'))
})

test('pages without a connection are accessible', async ({ app, page, context }) => {
  await app.openAsNewUser('/dashboard')
  await waitUntilCached(page, list)
  const dashboard = page.url()
  await openTerminal(app)
  await waitUntilCached(page, detail)
  await context.setOffline(true)
  for (const url of [page.url(), dashboard]) {
    await page.goto(url)
    await expect(page.getByText(disconnected)).toBeVisible()
    await expectAccessibleInDisplays(page, new URL(url).pathname)
  }
})

test('without a connection, a page that was not opened before says so, with its drawing', async ({
  app,
  page,
  context,
}) => {
  await app.openAsNewUser('/dashboard')
  await expect(app.rows.first()).toBeVisible()
  await waitUntilCached(page, list)
  await expect.poll(async () => (await listCached(page)).map(({ path }) => path)).toContain('/brand/scenes.svg')
  await context.setOffline(true)
  await page.goto(new URL('/maintenance?tenant=dishboard', page.url()).href)
  await expect(page.getByRole('heading', { name: 'This page could not be shown.' })).toBeVisible()
  const scene = page.locator('svg:has(use)')
  await expect.poll(() => scene.evaluate((svg: SVGSVGElement) => svg.getBBox().width)).toBeGreaterThan(200)
})
