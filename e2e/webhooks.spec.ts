import { startReceiver } from '#server/webhooks/testing/receiver.ts'
import { expect, press, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

const tenant = 'company3'

test('an administrator creates a webhook by keyboard, tests it, sends the test again and deletes it', {
  tag: '@core',
}, async ({ app, page }) => {
  const receiver = await startReceiver()
  const countTests = () => receiver.received.filter(({ body }) => body.includes('This is a test.')).length
  // A retry finds the webhook of the first attempt.
  const name = `Desk ${test.info().retry + 1}`
  await app.remember(await getAdminSession(tenant))
  await app.open('/webhooks', tenant)
  await press(page.getByRole('button', { name: 'Create Webhook' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(name)
  await dialog.getByRole('textbox', { name: /^Name/ }).press('Enter')
  await expect(dialog.getByText('Please enter an address that begins with https://.')).toBeVisible()
  const address = dialog.getByRole('textbox', { name: /^Address/ })
  await address.fill('https://169.254.169.254/latest/')
  await address.press('Enter')
  await expect(dialog.getByText('link-local and cloud metadata addresses are not called')).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill(receiver.url)
  await address.press('Enter')
  expect(await dialog.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
  await press(dialog.getByRole('button', { name: 'Done' }))
  await press(page.getByRole('button', { name: `Deliveries of ${name}` }))
  await press(page.getByRole('button', { name: 'Send Test' }))
  await expect(dialog.getByText('This is a test.')).toBeVisible()
  await press(dialog.getByRole('button', { name: 'Send Again' }))
  await expect.poll(countTests).toBe(2)
  await press(dialog.getByRole('button', { name: 'Close' }).last())
  const states = page.getByRole('radiogroup', { name: 'State' })
  await states.getByText('Not sent').click()
  await expect(page.getByText('No deliveries here.')).toBeVisible()
  await states.getByText('All').click()
  await expect(page.getByRole('button', { name: /^Details of ping/ })).toHaveCount(1)
  await press(page.getByRole('button', { name: 'Delete' }))
  await press(dialog.getByRole('button', { name: 'Delete' }))
  await expect(page.getByRole('button', { name: `Deliveries of ${name}` })).toHaveCount(0)
  await receiver.close()
})

test('webhooks: axe finds no violations in light and dark, wide and narrow', async ({ app, page }) => {
  const receiver = await startReceiver()
  receiver.next.push({ status: 500, body: 'Something is wrong here' })
  const { access } = await getAdminSession('dishboard')
  const name = `Desk ${test.info().retry + 1}`
  const body = {
    name,
    url: receiver.url,
    format: 'standard',
    eventTypes: ['incident.opened'],
    target: { kind: 'all' },
  }
  await callApi('dishboard', 'POST', '/webhooks/', { token: access, body })
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/admin-page')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: `Deliveries of ${name}` }).click()
  await page.getByRole('button', { name: 'Send Test' }).click()
  await expect(page.getByRole('dialog').getByText('Something is wrong here')).toBeVisible()
  const look = async (name: string) => {
    await expectAccessibleInDisplays(page, name)
  }
  await look('delivery')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await look('list')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused by an administrator.')).toBeVisible()
  await look('paused')
  await page.getByRole('button', { name: 'Create Webhook' }).click()
  await look('form')
  await receiver.close()
})
