import { expect, test } from './house.ts'

test('a person signs in with e-mail and password and sees the dashboard', async ({ house, page }) => {
  await house.signIn()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(house.rows.first()).toBeVisible()
  await expect(page).toHaveTitle('Dashboard · Dishboard')
  await expect(page.getByRole('button', { name: / account$/ })).toBeVisible()
  expect(await page.evaluate(() => [localStorage.getItem('access'), localStorage.getItem('refresh')])).not.toContain(
    null,
  )
})

test('a wrong password is told in one message and nothing is stored', async ({ house, page }) => {
  await house.open('/login')
  await house.typeCredentials('admin@dishboard.example', 'Wrong-pass-1')
  await expect(page.getByRole('alert')).not.toBeEmpty()
  const knownAddress = await page.getByRole('alert').innerText()
  await house.typeCredentials('nobody@dishboard.example', 'Wrong-pass-1')
  await expect(page.getByRole('alert')).toHaveText(knownAddress)
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.getItem('access'))).toBeNull()
})

test('fields that cannot be right are told before anything is sent', async ({ house, page }) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await house.open('/login')
  await house.typeCredentials('nobody', 'short')
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await expect(
    page.getByText('Password must be at least 8 characters, include upper & lower case, a number, and a symbol.'),
  ).toBeVisible()
  expect(sent).toEqual([])
})

test('without a tenant nobody can sign in, and the page says so', async ({ page, house }) => {
  await house.open('/login', '')
  await house.typeCredentials('admin@dishboard.example', 'Admin-demo-1')
  await expect(page.getByRole('alert')).toHaveText('Tenant information is missing. Please try again.')
})

test('a signed-out visitor of the dashboard is led to the sign-in', async ({ house, page }) => {
  await house.open('/dashboard')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('heading', { name: 'SIGN IN' })).toBeVisible()
})

test('logging out asks first, goes home, and the old session is dead', async ({ house, page }) => {
  await house.signIn()
  const refresh = await page.evaluate(() => localStorage.getItem('refresh'))
  await page.getByRole('button', { name: / account$/ }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page.getByText('Are you sure you want to log out?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  const status = await page.evaluate(async (token) => {
    const headers = { 'content-type': 'application/json', 'x-tenant': 'dishboard' }
    const body = JSON.stringify({ refresh: token })
    return (await fetch('/api/token/refresh/', { method: 'POST', headers, body })).status
  }, refresh)
  expect(status).toBe(401)
})

test('a page with a spoiled access token renews it once and goes on', async ({ house, page }) => {
  await house.signIn()
  await page.evaluate(() => localStorage.setItem('access', 'spoiled'))
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/token/refresh/') && renewals.push(request.url()))
  await house.open('/dashboard')
  await expect(house.rows.first()).toBeVisible()
  expect(renewals).toHaveLength(1)
})

test('a session that the server refuses to renew ends at the sign-in with both tokens gone', async ({
  house,
  page,
}) => {
  await house.signIn()
  await page.evaluate(() => {
    localStorage.setItem('access', 'spoiled')
    localStorage.setItem('refresh', 'spoiled')
  })
  await house.open('/dashboard')
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => [localStorage.getItem('access'), localStorage.getItem('refresh')])).toEqual([
    null,
    null,
  ])
})

test('a bad network keeps the person signed in and the page goes on by itself', async ({ house, page }) => {
  await house.signIn()
  await page.route('**/api/verify-token/', (route) => route.abort())
  await house.open('/dashboard')
  await expect(page.getByText('Loading...')).toBeVisible()
  await page.unroute('**/api/verify-token/')
  await expect(house.rows.first()).toBeVisible()
})

test('/logout clears the browser and leads to the sign-in', async ({ house, page }) => {
  await house.signIn()
  await house.open('/logout')
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.getItem('refresh'))).toBeNull()
})
