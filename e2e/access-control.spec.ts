import { featureItems } from '#contract/features.ts'
import { App, expect, test } from './app.ts'
import { expectAccessible, expectAccessibleInDisplays } from './axe.ts'
import { callApi, createActiveUser, createUser, getAdminSession } from './users.ts'

const tenant = 'company3'

const openMatrix = async (app: App) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/access-control', tenant)
  await expect(app.page.getByText(/^Users: [\d,]+$/)).toBeVisible()
}

/** A matrix from a future server version, with any number of users and a kind of item this page does not know. */
const buildFutureMatrix = (count: number) => ({
  users: Array.from({ length: count }, (_, number) => ({
    id: String(number + 1),
    full_name: `User ${number + 1}`,
    email: `p${number + 1}@x.example`,
    username: 'north',
    role: 'user',
  })),
  items: [
    { code: 'fly', label: 'Fly', kind: 'boolean', default_value: 'true', enum_options: [], allows: 'Flies.' },
    {
      code: 'dive',
      label: 'Dive',
      kind: 'enum',
      default_value: 'not_at_all',
      enum_options: ['not_at_all', 'very_deep'],
      allows: 'Dives.',
    },
    { code: 'sing', label: 'Sing', kind: 'melody', default_value: 'la', enum_options: [], allows: 'Sings.' },
  ],
  values: { '2': { fly: 'false', dive: 'very_deep' } },
})

test('the matrix has a switch or a select for each item and saves changes', { tag: '@core' }, async ({ app, page }) => {
  const { email } = await createUser(tenant)
  await openMatrix(app)
  await expect(page.getByRole('heading', { name: 'Access Control' })).toBeVisible()
  await expect(page.getByText('Manage feature access')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText([
    'Full Name',
    'Email',
    'Username',
    ...Object.values(featureItems).map(({ label }) => label),
  ])
  await page.getByRole('searchbox', { name: 'Search by name, email or username' }).fill(email)
  await expect(page.getByText('Users: 1')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Terminal Control of Robin Tester' })).toBeChecked()
  await expect(page.getByRole('combobox').getByRole('option')).toHaveText(['cannot see', 'read only', 'read write'])
  await page.getByRole('switch', { name: 'Plan Manager of Robin Tester' }).click()
  await expect(page.getByRole('switch', { name: 'Plan Manager of Robin Tester' })).toBeEnabled()
  await page.getByRole('combobox', { name: 'Metadata of Robin Tester' }).selectOption('read only')
  await expect(page.getByRole('combobox', { name: 'Metadata of Robin Tester' })).toBeEnabled()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Plan Manager of Robin Tester' })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Metadata of Robin Tester' })).toHaveValue('read_only')
  await page.getByRole('searchbox').fill('no such user')
  await expect(page.getByText('No users match your search.')).toBeVisible()
  await expect(page.getByText('Users: 0')).toBeVisible()
})

test('each column says what it allows, on a phone behind its title', async ({ app, page }) => {
  await openMatrix(app)
  const title = page.getByText('What each column allows')
  const explanation = page.getByText('Reboots terminals, and changes their IP policy')
  await expect(explanation).toBeVisible()
  await expect(page.getByRole('term')).toHaveText(Object.values(featureItems).map(({ label }) => label))
  await expectAccessibleInDisplays(page)
  await expect(explanation).toBeHidden()
  await title.focus()
  await page.keyboard.press('Enter')
  await expect(explanation).toBeVisible()
  await expectAccessible(page, 'opened on a phone')
})

test('a change shows at once, is locked while it is being saved, and is reverted when the server refuses it', async ({
  app,
  page,
}) => {
  const { email } = await createUser(tenant)
  await openMatrix(app)
  await page.getByRole('searchbox').fill(email)
  await expect(page.getByText('Users: 1')).toBeVisible()
  const item = page.getByRole('switch', { name: 'Rename Terminal of Robin Tester' })
  const { promise: held, resolve: respond } = Promise.withResolvers<void>()
  await page.route('**/api/acp/value/', async (route) => {
    await held
    await route.fulfill({ status: 500, json: {} })
  })
  await item.click()
  await expect(item).toBeChecked()
  await expect(item).toBeDisabled()
  respond()
  await expect(page.getByRole('dialog')).toContainText('Failed to update')
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await expect(item).not.toBeChecked()
  await expect(item).toBeEnabled()
  await page.unroute('**/api/acp/value/')
  await page.route('**/api/acp/value/', (route) =>
    route.fulfill({ status: 409, json: { error: 'conflict', message: 'Not today.' } }),
  )
  await item.click()
  await expect(page.getByRole('dialog')).toContainText('Not today.')
})

test('the dialog of a user explains where each permission comes from', async ({ app, page }) => {
  const { email, id } = await createUser(tenant)
  const { access } = await getAdminSession(tenant)
  const body = { user_id: id, item_code: 'metadata', value: 'read_write' }
  await callApi(tenant, 'PATCH', '/acp/value/', { token: access, body })
  await openMatrix(app)
  await page.getByRole('searchbox').fill(email)
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByRole('button', { name: 'Access of Robin Tester' }).click()
  const dialog = page.getByRole('dialog', { name: 'Access of Robin Tester' })
  await expect(dialog).toContainText(
    /Set to read write by admin@company3.example on \w{3} \d+, \d{4}, \d\d:\d\d [A-Z]+\./,
  )
  await expect(dialog).toContainText('Nothing was set for this user; the default is yes.')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('admin@company3.example')
  const admins = page.getByRole('switch', { name: 'Plan Manager of Dana Whitfield' })
  await expect(admins).toBeChecked()
  await expect(admins).toBeDisabled()
  await page.getByRole('button', { name: 'Access of Dana Whitfield' }).click()
  await expect(page.getByRole('dialog')).toContainText('Administrators hold every item.')
})

test('new items appear without a code change, and a thousand users scroll smoothly', async ({ app, page }) => {
  await page.route('**/api/acp/matrix/', (route) => route.fulfill({ json: buildFutureMatrix(1000) }))
  await openMatrix(app)
  await expect(page.getByText('Users: 1,000')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText(['Full Name', 'Email', 'Username', 'Fly', 'Dive', 'Sing'])
  const second = page.getByRole('row', { name: /User 2 / })
  await expect(second.getByRole('switch')).not.toBeChecked()
  await expect(second.getByRole('combobox')).toHaveValue('very_deep')
  await expect(second.getByRole('cell').last()).toHaveText('-')
  await expect(page.getByRole('row', { name: /User 1 / }).getByRole('switch')).toBeChecked()
  expect(await page.getByRole('rowheader').count()).toBeLessThan(60)
  const table = page.getByRole('region', { name: 'Feature access' })
  await table.evaluate((element) => {
    element.scrollTop = element.scrollHeight
    element.scrollLeft = element.scrollWidth
  })
  // The explanations above the table make the page longer than the window.
  await table.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await expect(page.getByRole('button', { name: 'Access of User 1000' })).toBeInViewport()
  await expect(page.getByRole('columnheader', { name: 'Full Name' })).toBeInViewport()
  expect(await page.getByRole('rowheader').count()).toBeLessThan(60)
})

test('a 403 shows Forbidden, other failures show the server’s message', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  const respondWith = (status: number, message: string) =>
    page.route('**/api/acp/matrix/', (route) => route.fulfill({ status, json: { message } }))
  await respondWith(403, 'Not for you.')
  await app.open('/access-control', tenant)
  await expect(page.getByText('Forbidden', { exact: true })).toBeVisible()
  await page.unroute('**/api/acp/matrix/')
  await respondWith(400, 'The matrix is out of order.')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('The matrix is out of order.')).toBeVisible()
})

test('permission changes reach an open page without a reload', async ({ browser }) => {
  const { id, email, session } = await createActiveUser(tenant)
  const { access } = await getAdminSession(tenant)
  const theirs = new App(await (await browser.newContext()).newPage())
  const { page } = theirs
  await theirs.remember(session)
  await theirs.open('/dashboard', tenant)
  await expect(theirs.rows.first()).toBeVisible()
  const before = await theirs.rows.allInnerTexts()
  let loads = 0
  page.on('load', () => loads++)
  const set = (value: string) =>
    callApi(tenant, 'PATCH', '/acp/value/', { token: access, body: { user_id: id, item_code: 'plan_manager', value } })
  const link = page.getByRole('link', { name: 'Plan Manager' })
  await expect(link).toBeHidden()
  await set('true')
  await expect(link).toBeVisible()
  await set('false')
  await expect(link).toBeHidden()
  const update = (more: object) =>
    callApi(tenant, 'PUT', `/update-user/${id}/`, {
      token: access,
      body: { email, username: 'north', customerName: 'Robin Tester', company: 'Company', ...more },
    })
  await update({ username: 'south' })
  await expect.poll(async () => (await theirs.rows.allInnerTexts()).some((row) => before.includes(row))).toBe(false)
  await update({ role: 'admin' })
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await update({ role: 'user' })
  await expect(page).toHaveURL(/\/forbidden/)
  expect(loads).toBe(0)
  await theirs.open('/dashboard', tenant)
  await expect(theirs.rows.first()).toBeVisible()
  await callApi(tenant, 'DELETE', `/delete-user/${id}/`, { token: access })
  await expect(page).toHaveURL(/\/login/)
})
