import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'

const phoneRule = 'Please enter a valid 10-digit US phone number (e.g., (123) 456-7890 or 123-456-7890).'

test('a preview beside the switches shows what they would have sent', async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await app.openAsNewUser('/profile')
  const rehearsal = page.getByRole('region', { name: 'What this would have sent' })
  await expect(rehearsal).toBeVisible()
  // Both measured at once: lists above them may still be loading.
  const [left, right] = await page.getByRole('region', { name: 'Notifications' }).evaluate((section) => {
    const places = [...section.querySelectorAll('section')].map((card) => card.getBoundingClientRect())
    return places.map(({ top, left, right }) => ({ top, left, right }))
  })
  expect(right?.top).toBe(left?.top)
  expect(right?.left).toBeGreaterThan(left?.right ?? Infinity)
})

test('SMS needs consent, accepting and declining lead back, and the number is formatted while typing', {
  tag: '@core',
}, async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const sms = page.getByRole('checkbox', { name: "SMS notification of terminals' status changes" })
  await sms.click()
  await expect(page).toHaveURL(/\/sms_consent/)
  await expect(page.getByText('Message and data rates may apply.')).toBeVisible()
  await expect(page.getByText('are not sold or shared')).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/enable-sms/') && calls.push(request.method()))
  await page.getByRole('button', { name: 'Do not enable SMS messaging' }).click()
  await expect(page).toHaveURL(/\/profile/)
  await expect(sms).not.toBeChecked()
  expect(calls).toEqual([])

  await sms.click()
  await page.getByRole('checkbox', { name: 'I agree to enable SMS messaging' }).click()
  await expect(page.getByText('Are you sure to enable the SMS messaging?')).toBeVisible()
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await expect(page).toHaveURL(/\/profile/)
  await expect(sms).toBeChecked()
  expect(calls).toEqual(['GET'])

  const phone = page.getByPlaceholder('Enter 10-digit phone number')
  const confirm = page.getByRole('region', { name: 'Email and SMS' }).getByRole('button', { name: 'Confirm' })
  await phone.pressSequentially('90755501')
  await expect(phone).toHaveValue('(907) 555-01')
  await confirm.click()
  await expect(page.getByText(phoneRule)).toBeVisible()
  await phone.press('End')
  await phone.pressSequentially('99')
  await expect(phone).toHaveValue('(907) 555-0199')
  await confirm.click()
  await expect(page.getByText('Your Phone Number for SMS notification has been successfully changed.')).toBeVisible()
})

test('a user chooses how often mails about terminals are sent', async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const mails = page.getByRole('checkbox', { name: 'Email notification of terminals' })
  const choice = page.getByRole('combobox', { name: 'Send email notifications' })
  await mails.check()
  await expect(choice).toHaveValue('at once')
  const saved = page.waitForResponse('**/api/mail-digest/')
  await choice.selectOption('Together, every day at 8:00')
  await saved
  await page.reload()
  await expect(choice).toHaveValue('daily')
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, display.title)
    await choice.scrollIntoViewIfNeeded()
  }
  await mails.uncheck()
  await expect(choice).toBeHidden()
})

test('a new phone number is saved only after the password is confirmed', { tag: '@core' }, async ({ app, page }) => {
  const { password } = await app.openAsNewUser('/sms_consent')
  await page.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  // A sign-in counts as confirmation for some minutes, so the server's later refusal is simulated.
  const refusal = { status: 403, json: { error: 'reauthenticate', message: 'Please confirm that it is you.' } }
  await page.route('**/api/change-phone-number/', (route) => route.fulfill(refusal), { times: 2 })
  const phone = page.getByLabel('Phone Number')
  await phone.fill('9075550142')
  await phone.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Please confirm that it is you.')).toBeVisible()
  await phone.press('Enter')
  const confirm = async (typed: string) => {
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(typed)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }
  await confirm('Wrong-pass-1')
  await expect(dialog.getByText('The password is not right.')).toBeVisible()
  await confirm(password)
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Your Phone Number for SMS notification has been success/)).toBeVisible()
  await page.reload()
  await expect(phone).toHaveValue('(907) 555-0142')
})

test('terminals can be searched and selected singly, all or none, and long names are cut', async ({ app, page }) => {
  const long = 'A very long name of a terminal far away'
  await page.route('**/api/user-profile/', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.terminalList[0].customname = long
    const [first] = body.terminalList
    for (let number = 1; number <= 300; number++)
      body.terminalList.push({ ...first, id: String(900_000 + number), customname: `Far station ${number}` })
    await route.fulfill({ response, json: body })
  })
  await app.openAsNewUser('/profile')
  const choice = page.getByRole('group', { name: 'Terminals' })
  await expect(choice.getByTitle(long)).toHaveText(`${long.slice(0, 25)}…`)
  const region = page.getByRole('region', { name: 'Terminals for notification' })
  const search = region.getByRole('searchbox', { name: 'Search terminals' })
  await search.fill('STATION 29')
  await expect(choice.getByRole('checkbox')).toHaveCount(11)
  await choice.getByRole('checkbox', { name: 'Far station 299', exact: true }).check()
  await search.fill('nowhere')
  await expect(region.getByText('No terminals match.')).toBeVisible()
  await search.fill('')
  await expect(choice.getByTitle(long)).toBeVisible()
  await expect(region.getByText(/^1 of \d+ selected$/)).toBeVisible()
  await region.getByRole('radio', { name: 'Select All', exact: true }).check()
  await expect(choice.getByRole('checkbox').first()).toBeChecked()
  await region.getByRole('radio', { name: 'Deselect All' }).check()
  await expect(region.getByText(/^0 of \d+ selected$/)).toBeVisible()
  await choice.getByRole('checkbox').first().check()
  await region.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Successfully updated the terminal list for notification.')).toBeVisible()
  await page.reload()
  await expect(choice.getByRole('checkbox').first()).toBeChecked()
  await expect(region.getByText(/^1 of \d+ selected$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What this would have sent in the last 30 days' })).toBeVisible()
  await expect(page.getByText('0 emails and 0 texts')).toBeVisible()
  await expect(page.getByText('Choose how to be notified, about what, and for which terminals.')).toBeVisible()
  for (const label of ["Email notification of terminals' status changes", "Terminals' data usage"])
    await page.getByRole('checkbox', { name: label, exact: true }).click()
  await expect(page.getByText('Choose how to be notified, about what, and for which terminals.')).toBeHidden()
  await expect(page.getByText(/^\d+ emails? and \d+ texts?$/)).toBeVisible()
})
