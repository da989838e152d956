import { marketingUrl } from './addresses.ts'
import { App, expect, test } from './app.ts'

const listPaths = (app: App): Promise<string[]> =>
  app.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('href')?.split('?')[0] as string))

test('two tenants see only their own terminals', { tag: '@core' }, async ({ browser }) => {
  const [ours, theirs] = [
    new App(await (await browser.newContext()).newPage()),
    new App(await (await browser.newContext()).newPage()),
  ] as const
  await ours.openDashboard('dishboard')
  await theirs.openDashboard('microcom')
  const [ourPaths, theirPaths] = [await listPaths(ours), await listPaths(theirs)]
  expect(ourPaths.filter((path) => theirPaths.includes(path))).toEqual([])
  await theirs.open(ourPaths[0] as string, 'microcom')
  await expect(theirs.page.getByText('You are not authorized to view this terminal.')).toBeVisible()
})

test('users of one tenant cannot sign in at another', { tag: '@core' }, async ({ app, page }) => {
  await app.open('/login', 'microcom')
  await app.typeCredentials('admin@dishboard.example', 'Admin-demo-1')
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expect(page).toHaveURL(/\/login/)
})

test('a token of one tenant is rejected by another', { tag: '@core' }, async ({ app, page }) => {
  await app.signIn('dishboard')
  await app.open('/dashboard', 'microcom')
  await expect(page).toHaveURL(/\/login/)
})

test('each tenant has its own name and color', async ({ app, page }) => {
  const accent = () =>
    page.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--mantine-primary-color-filled'))
  await app.open('/', 'dishboard')
  await expect(page.getByRole('contentinfo')).toContainText(/© \d{4} Dishboard/)
  const ours = await accent()
  await app.open('/', 'microcom')
  await expect(page.getByRole('contentinfo')).toContainText(/© \d{4} Microcom/)
  await expect(page).toHaveTitle('Microcom')
  expect(await accent()).not.toBe(ours)
})

test('an unknown tenant gets an error page and no data', async ({ app, page }) => {
  await app.open('/dashboard', 'nobody')
  await expect(page.getByRole('heading', { name: 'This address is not in use' })).toBeVisible()
})

test('visitors of a tenant without a configuration are redirected to the marketing page', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await page.route(`${marketingUrl}**`, (route) => route.fulfill({ contentType: 'text/html', body: 'Marketing' }))
  await app.open('/', 'another_tenant')
  await expect(page).toHaveURL(marketingUrl)
})

test('settings that fail to load are retried without a redirect', async ({ app, page }) => {
  await page.route('**/api/config/', (route) => route.abort())
  await app.open('/')
  await expect(page.getByText('Loading tenant settings...')).toBeVisible()
  await page.unroute('**/api/config/')
  await expect(page.getByRole('link', { name: 'Client Portal & Performance Dashboard' })).toBeVisible()
})
