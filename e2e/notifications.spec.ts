import { addresses } from './addresses.ts'
import { App, expect, press, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

test('admins see the delivery state of each message, other users do not', { tag: '@core' }, async ({
  app,
  page,
  browser,
}) => {
  const { email } = await app.openAsNewUser('/deliveries')
  await expect(page.getByText('You don’t have permission to view this page.')).toBeVisible()

  const context = await browser.newContext()
  const desk = await context.newPage()
  const own = new App(desk)
  await own.openDashboard()
  const status = await desk.evaluate(async (to) => {
    const headers = {
      'content-type': 'application/json',
      'x-tenant': 'dishboard',
      authorization: `Bearer ${localStorage.getItem('access')}`,
    }
    const body = JSON.stringify({ message: 'Maintenance tonight.', users: [to] })
    return (await fetch('/api/admin-notification/', { method: 'POST', headers, body })).status
  }, email)
  expect(status).toBe(200)
  await own.open('/deliveries')
  const row = desk.getByRole('row', { name: new RegExp(`${email}.*Message from Dishboard`) })
  await expect(row).toContainText('Waiting')

  const dialog = desk.getByRole('dialog', { name: 'Email' })
  await press(row.getByRole('button', { name: 'Message from Dishboard' }))
  await expect(dialog).toContainText('Maintenance tonight.')
  await expect(dialog).toContainText('It has not been sent yet.')
  await expect(dialog.getByRole('button', { name: 'Send Again' })).toBeDisabled()
  await desk.reload()
  await expect(dialog).toContainText('Maintenance tonight.')
  await desk.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await desk.getByRole('searchbox', { name: 'Search messages' }).fill('nobody@nowhere')
  await expect(desk.getByText('No messages match your search.')).toBeVisible()
  await context.close()
})

test('a message that was not sent is sent again from its details', async ({ app, page }) => {
  // Nothing is sent here, so the later states are simulated.
  const id = '6c1f3c52-4f0e-4f0a-9d0e-0a1b2c3d4e5f'
  const copy = '7d2f3c52-4f0e-4f0a-9d0e-0a1b2c3d4e5f'
  const message = {
    id,
    channel: 'email',
    recipient: 'pat@north.example',
    subject: 'Nome School is offline',
    state: 'failed',
    attempts: 3,
    problem: 'The mailbox is full.',
    createdAt: '2026-01-05T10:00:00Z',
    finishedAt: '2026-01-05T10:05:00Z',
    nextAttemptAt: null,
    resendOf: null,
  }
  const resends: object[] = []
  await page.route(`**/api/message-deliveries/${id}/`, (route) =>
    route.fulfill({
      json: { delivery: { ...message, body: 'It lost power.', expiresAt: null, hindrance: null, resends } },
    }),
  )
  await page.route(`**/api/message-deliveries/${id}/resend/`, (route) => {
    resends.push({ id: copy, state: 'queued', createdAt: '2026-01-05T11:00:00Z' })
    return route.fulfill({ json: { message: 'The message is being sent again.', messageId: copy } })
  })
  await app.remember(await getAdminSession('dishboard'))
  await page.goto(`${addresses.url}/deliveries?tenant=dishboard&message=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Email' })
  await expect(dialog).toContainText('The mailbox is full.')
  await dialog.getByRole('button', { name: 'Send Again' }).click()
  await expect(page.getByText('The message is being sent again.')).toBeVisible()
  await expect(dialog).toContainText('Sent again')
  await expectAccessibleInDisplays(page)
})
