import { readFile } from 'node:fs/promises'
import { expect, test } from './app.ts'
import { callApi, createUser, getAdminSession, startSession } from './users.ts'

const tenant = 'microcom'

test('sign-ins and failures appear for administrators, filtered and as a file', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const { email, password } = await createUser(tenant)
  await startSession(tenant, email, password)
  for (let tries = 0; tries < 2; tries++)
    await callApi(tenant, 'POST', '/user/login/', { body: { email, password: 'Wrong-pass-1' } })
  await app.remember(await getAdminSession(tenant))
  await app.open('/security-events', tenant)
  await page.getByRole('combobox', { name: 'User' }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('rowheader')).toHaveCount(3)
  await expect(page.getByRole('row', { name: /Sign-in failed \(2 times\)/ })).toContainText(email)
  await page.getByLabel('Event', { exact: true }).selectOption('Signed in')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`Signed in,${email}`)
})

test('users find their recent activity in their profile', async ({ app, page }) => {
  const { email } = await app.openAsNewUser('/profile')
  const list = page.getByRole('list', { name: 'Recent activity' })
  await expect(list).toContainText('Signed in')
  await expect(list).toContainText('User created')
  for (let tries = 0; tries < 2; tries++)
    await callApi('dishboard', 'POST', '/user/login/', { body: { email, password: 'Wrong-pass-1' } })
  await page.reload()
  await expect(list).toContainText('Sign-in failed (2 times)')
})
