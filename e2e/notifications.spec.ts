import { App, expect, test } from './app.ts'

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
  const row = desk.getByRole('row', { name: new RegExp(email) })
  await expect(row).toContainText('Waiting')
  await expect(row).toContainText('Message from Dishboard')
  await context.close()
})
