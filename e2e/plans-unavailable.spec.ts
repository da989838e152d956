import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { createActiveUser, getAdminSession } from './users.ts'

const tenant = 'dishboard'

test('a 401 leads to the dashboard', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await page.route('**/api/virtual-plan/', (route) => route.fulfill({ status: 401, json: { message: 'No.' } }))
  await page.goto(`${addresses.url}/plan-manager?tenant=${tenant}`)
  await expect(page).toHaveURL(/\/dashboard/)
})

test('a list that fails to load says so and can be retried', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await page.route('**/api/virtual-plan/', (route) =>
    route.fulfill({ status: 400, json: { message: 'Out of order.' } }),
  )
  await page.goto(`${addresses.url}/plan-manager?tenant=${tenant}`)
  await expect(page.getByRole('alert')).toContainText('Out of order.')
  await page.unroute('**/api/virtual-plan/')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Defined Pools' })).toBeVisible()
})

test('a user without the permission has no link and gets the forbidden page', async ({ app, page }) => {
  const { session } = await createActiveUser(tenant)
  await app.remember(session)
  await page.goto(`${addresses.url}/plan-manager?tenant=${tenant}`)
  await expect(page.getByText('You don’t have permission to view this page.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Plan Manager' })).toBeHidden()
})
