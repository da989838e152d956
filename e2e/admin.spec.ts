import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { App, expect, test } from './app.ts'
import { readMail } from './outbox.ts'
import { callApi, createActiveUser, createUser, getAdminSession, startSession } from './users.ts'

const tenant = 'dishboard'

const openUsers = async (app: App, search = '') => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/admin-page', tenant)
  await expect(app.page.getByRole('row', { name: /admin@dishboard.example/ })).toBeVisible()
  if (search) await app.page.getByRole('searchbox').fill(search)
}

const findUserRow = (page: Page, email: string) => page.getByRole('row', { name: new RegExp(email) })
// 'u-9a…' comes before 'u-10…'.
const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
/** Whether at least two addresses are shown and all are in order. */
const isSorted = async (page: Page, compare: (a: string, b: string) => number) => {
  const emails = await page.getByRole('rowheader').allInnerTexts()
  return emails.length > 1 && String(emails) === String(emails.toSorted(compare))
}
const uniqueEmail = () => `u-${randomUUID()}@dishboard.example`

test('the search matches any field, column headings sort, and the URL has both', async ({ app, page }) => {
  const users = [await createUser(tenant), await createUser(tenant)]
  await openUsers(app, users[0]?.email.toUpperCase())
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.getByRole('searchbox').fill('no such user')
  await expect(page.getByText('No users match your search.')).toBeVisible()
  await page.getByRole('searchbox').fill('ROBIN TESTER')
  const heading = page.getByRole('columnheader', { name: 'Email' })
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => isSorted(page, naturalOrder.compare)).toBe(true)
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => isSorted(page, (a, b) => naturalOrder.compare(b, a))).toBe(true)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('ROBIN TESTER')
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
})

test('a text that its column cuts off can be read by pointing at it', async ({ app, page }) => {
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/admin-page')
  const company = page.getByRole('cell', { name: 'Northern Villages Cooperative' }).first()
  expect(await company.evaluate((cell) => cell.scrollWidth > cell.clientWidth)).toBe(true)
  await company.hover()
  await expect(company).toHaveAttribute('title', 'Northern Villages Cooperative')
  const email = page.getByRole('rowheader', { name: 'user@dishboard.example' })
  await email.hover()
  await expect(email).toHaveAttribute('title', '')
})

test('creating a user reports invalid fields first and offers the existing groups', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await openUsers(app)
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(dialog.getByText('This field is required.')).toHaveCount(5)
  const email = uniqueEmail()
  await dialog.getByLabel('Email').fill('nobody')
  await dialog.getByRole('combobox', { name: 'GroupID' }).click()
  await expect(page.getByRole('option')).toContainText(['north', 'south', 'staff'])
  await page.getByRole('option', { name: 'south' }).click()
  await dialog.getByLabel('Customer Name').fill('Casey New')
  await dialog.getByLabel('Company').fill('Aurora Net')
  await dialog.getByRole('textbox', { name: 'Initial Password' }).fill('Initial-pass-1')
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('searchbox').fill(email)
  await expect(findUserRow(page, email)).toContainText('south')
  await expect(findUserRow(page, email)).toContainText('Casey New')
  await startSession(tenant, email, 'Initial-pass-1')
})

test('a second user with the same email is refused', async ({ app, page }) => {
  const { email } = await createUser(tenant)
  await openUsers(app)
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('combobox', { name: 'GroupID' }).fill('north')
  await dialog.getByLabel('Customer Name').fill('Twice')
  await dialog.getByLabel('Company').fill('Company')
  await dialog.getByRole('textbox', { name: 'Initial Password' }).fill('Initial-pass-1')
  await dialog.getByLabel('Role').selectOption('admin')
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Error creating user. A user with the same email exists.')
})

test('editing a user never shows the password', async ({ app, page }) => {
  const { email } = await createUser(tenant)
  await openUsers(app, email)
  await page.getByRole('button', { name: `Edit ${email}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await expect(dialog.getByRole('textbox', { name: 'Initial Password' })).toHaveValue('')
  await dialog.getByLabel('Company').fill('Changed Company')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toBeHidden()
  await expect(findUserRow(page, email)).toContainText('Changed Company')
  await startSession(tenant, email, 'Initial-pass-1')
})

test('deleting asks for confirmation and reports only what happened', { tag: '@core' }, async ({ app, page }) => {
  const { email } = await createUser(tenant)
  await openUsers(app, email)
  const ask = async () => {
    await page.getByRole('button', { name: `Delete ${email}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete User' })
    await expect(dialog).toContainText(`Are you sure you want to delete ${email}?`)
    return dialog
  }
  await (await ask()).getByRole('button', { name: 'Cancel' }).click()
  await page.route('**/api/delete-user/**', (route) => route.fulfill({ status: 500, json: { message: 'Broken.' } }))
  await (await ask()).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Failed to delete user. Please try again.')).toBeVisible()
  await expect(page.getByText('User deleted successfully')).toBeHidden()
  const last = 'The last administrator cannot be deleted or demoted.'
  await page.unroute('**/api/delete-user/**')
  await page.route('**/api/delete-user/**', (route) => route.fulfill({ status: 409, json: { message: last } }))
  await (await ask()).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(last)).toBeVisible()
  await page.unroute('**/api/delete-user/**')
  await (await ask()).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('User deleted successfully')).toBeVisible()
  await expect(findUserRow(page, email)).toBeHidden()
})

test('notifying lets the admin select users, write a message, and the mail arrives', async ({ app, page }) => {
  const { email } = await createUser(tenant)
  await openUsers(app, email)
  const notify = page.getByRole('button', { name: 'Notify Users' })
  await notify.click()
  const alert = page.getByRole('dialog')
  await expect(alert).toContainText('Please choose the users to notify')
  await alert.getByRole('button', { name: 'OK' }).click()
  await notify.click()
  await expect(alert).toContainText('Please select at least one user.')
  await alert.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Select All', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: email })).toBeChecked()
  await page.getByRole('button', { name: 'Deselect All' }).click()
  await expect(page.getByRole('checkbox', { name: email })).not.toBeChecked()
  await page.getByRole('checkbox', { name: email }).check()
  const search = page.getByRole('searchbox', { name: 'Search users' })
  await search.fill('')
  const administrator = page.getByRole('checkbox', { name: 'admin@dishboard.example' })
  await administrator.check()
  await search.fill(email)
  await expect(administrator).toBeHidden()
  await notify.click()
  const dialog = page.getByRole('dialog', { name: 'Notify Users' })
  await expect(dialog).toContainText(
    `${email} will get this message by email. It does not go to 1 selected user hidden`,
  )
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Message').fill('The north ring is down on Sunday.')
  await page.route('**/api/admin-notification/', (route) => route.fulfill({ status: 503, json: { message: 'No.' } }))
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Failed to send notification. Please try again.')).toBeVisible()
  await page.unroute('**/api/admin-notification/')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Notification sent successfully')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  const mail = await readMail(tenant, email, 'Message from Dishboard')
  expect(mail.text).toContain('The north ring is down on Sunday.')
})

test('an import previews each line and applies all of them or none', async ({ app, page }) => {
  const { email } = await createUser(tenant)
  const newEmail = uniqueEmail()
  const header = 'email,GroupID,customerName,company,role,initialPassword\n'
  const good = `${header}${newEmail},south,Newly Imported,Net,user,Initial-pass-1\n${email},south,Robin Tester,Company,user,\n`
  const choose = (csv: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await openUsers(app)
  await page.getByRole('button', { name: 'Import Users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Users' })
  await choose(`${good}nobody,north,X,Y,user,\n`)
  await expect(dialog.getByText('One line has a fault; nothing can be imported.')).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Line 4 Fault nobody email: Please enter a valid/ })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await choose(good)
  await expect(dialog.getByText('This is what would happen.')).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Line 2 Create .* New user in group south/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Line 3 Change .* username: north → south/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 2' }).click()
  await expect(page.getByText('1 created, 1 changed.')).toBeVisible()
  await page.getByRole('searchbox').fill(newEmail)
  await expect(findUserRow(page, newEmail)).toContainText('Newly Imported')
})

test('erasing a user deletes them and leaves an erased person in the editing log', async ({ app, page }) => {
  const { email } = await createUser(tenant)
  await openUsers(app, email)
  await page.getByRole('button', { name: `Edit ${email}` }).click()
  await page.getByRole('button', { name: 'Erase user data' }).click()
  await page
    .getByRole('dialog', { name: 'Erase User Data' })
    .getByRole('button', { name: 'Erase', exact: true })
    .click()
  await expect(page.getByText(/The user was erased and is now “Erased person \d+”/)).toBeVisible()
  await expect(page.getByText('No users match your search.')).toBeVisible()
  await app.open('/editing-logs', tenant)
  await expect(page.getByRole('row', { name: /user\.erase/ }).first()).toContainText('Erased person')
  await expect(page.getByText(email)).toHaveCount(0)
})

test('ending a user’s sessions signs them out of an open page', async ({ app, page, browser }) => {
  const { email, session } = await createActiveUser(tenant)
  const theirs = new App(await (await browser.newContext()).newPage())
  await theirs.remember(session)
  await theirs.open('/dashboard', tenant)
  await expect(theirs.rows.first()).toBeVisible()
  await openUsers(app, email)
  await page.getByRole('button', { name: `End sessions of ${email}` }).click()
  await page.getByRole('dialog', { name: 'End Sessions' }).getByRole('button', { name: 'End Sessions' }).click()
  await expect(page.getByText(`${email} is signed out everywhere.`)).toBeVisible()
  await expect(theirs.page).toHaveURL(/\/login/)
})

test('other users get the forbidden page, or the home page instead of the log', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const { session } = await createActiveUser(tenant)
  await app.remember(session)
  for (const path of ['/admin-page', '/access-control']) {
    await app.open(path, tenant)
    await expect(page).toHaveURL(/\/forbidden/)
    await expect(page.getByText('You don’t have permission to view this page.')).toBeVisible()
  }
  await app.open('/editing-logs', tenant)
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('a 403 shows the server’s message and leads home; other failures can be retried', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  const respondWith = (status: number) =>
    page.route('**/api/get-users/', (route) => route.fulfill({ status, json: { message: 'The server said no.' } }))
  await respondWith(400)
  await app.open('/admin-page', tenant)
  await expect(page.getByRole('alert')).toContainText('The server said no.')
  await page.unroute('**/api/get-users/')
  await respondWith(403)
  await page.getByRole('button', { name: 'Retry' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The server said no.')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('the panel links to the editing log', async ({ app, page }) => {
  await openUsers(app)
  await page.getByRole('link', { name: 'Editing Log' }).click()
  await expect(page).toHaveURL(/\/editing-logs/)
  await expect(page.getByRole('heading', { name: 'Editing Log' })).toBeVisible()
  expect(
    (await callApi(tenant, 'GET', '/get-logs/?limit=1', { token: (await getAdminSession(tenant)).access })).status,
  ).toBe(200)
})

test('no role is cut off on a small desk', async ({ app, page }) => {
  await openUsers(app)
  const role = page.getByRole('row', { name: /admin@dishboard.example/ }).getByText('admin', { exact: true })
  expect(await role.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})
