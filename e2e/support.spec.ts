import { suggestedQuestions } from '#contract/support.ts'
import { addresses, widgets } from './addresses.ts'
import { expect, test } from './app.ts'
import { displayVariants, widths } from './display-variants.ts'
import { readMail } from './outbox.ts'
import { getAdminSession } from './users.ts'

for (const { tenant, company, phone, email, viewport, title, tag } of displayVariants) {
  test.describe(title, () => {
    test.use({ viewport })

    test('the support page lists all contacts and has no ticket button', async ({ app, page }) => {
      await app.open('/support', tenant)
      const main = page.getByRole('main')
      await expect(main.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible()
      await expect(main.getByRole('link', { name: phone })).toHaveAttribute('href', /^tel:\+1907/)
      await expect(main.getByRole('link', { name: email })).toHaveAttribute('href', `mailto:${email}`)
      await expect(main).toContainText(`© ${new Date().getFullYear()} ${company}`)
      const faq = main.getByRole('link', { name: 'Starlink FAQ' })
      await expect(faq).toHaveAttribute('target', '_blank')
      await expect(faq).toHaveAttribute('href', /^https:\/\/(www\.)?starlink\.com\//)
      await expect(page.getByRole('button', { name: 'Open Ticket' })).toBeHidden()
    })

    test('a visitor’s ticket reaches support by mail', { tag }, async ({ app, page }) => {
      const subject = `${tenant}-${viewport.width}-${Date.now()}`
      await app.open('/', tenant)
      // The button is in the sticky navbar: floating over the page, it would cover content.
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      const opener = page.getByRole('banner').getByRole('button', { name: 'Open Ticket' })
      await expect(opener).toBeInViewport({ ratio: 1 })
      await opener.click()
      const dialog = page.getByRole('dialog', { name: 'Create Ticket' })
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible()
      await expect(dialog.getByText('This field is required.')).toHaveCount(2)
      await expect(dialog.getByLabel('Email')).toBeFocused()
      await dialog.getByLabel('Email').fill('visitor@mail.example')
      await dialog.getByLabel('Full Name').fill(subject)
      await dialog.getByLabel('Description').fill('The dish is under snow.\nWhat now?')
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByText('Ticket submitted!', { exact: true })).toBeVisible()
      await expect(page.getByText(/^Your ticket is number \d+\.$/)).toBeVisible()
      await expect(dialog).toBeHidden()
      const mail = await readMail(tenant, email, 'Ticket #')
      expect(mail.about).toContain('replies to visitor@mail.example')
      expect(mail.text).toContain('The dish is under snow.')
    })
  })
}

test('a failed ticket is reported and the text stays', async ({ app, page }) => {
  await page.route('**/api/ticket/', (route) =>
    route.fulfill({ status: 429, json: { error: 'too_many', message: 'Please wait a while.' } }),
  )
  await app.remember(await getAdminSession('dishboard'))
  await app.open('/')
  await expect(page.getByRole('button', { name: 'Dana Whitfield, account' })).toBeVisible()
  await page.getByRole('button', { name: 'Open Ticket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Ticket' })
  await expect(dialog.getByLabel('Email')).toHaveValue('admin@dishboard.example')
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Dana Whitfield')
  await dialog.getByLabel('Description').fill('Help!')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Error sending ticket')).toBeVisible()
  await expect(dialog.getByText('Please wait a while.')).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveValue('Help!')
})

test('the assistant answers from the FAQ entries and offers the ticket form otherwise', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await app.open('/support')
  const assistant = page.getByRole('region', { name: 'Assistant' })
  const ask = async (question: string) => {
    await assistant.getByLabel('Your question').fill(question)
    await assistant.getByRole('button', { name: 'Ask' }).click()
  }
  await ask('What does obstruction mean?')
  await expect(assistant).toContainText('Something stands between the dish and the sky')
  await ask('Is KIT00000001 online?')
  await expect(assistant).toContainText('Please sign in, so that I can look at your terminals.')
  await ask('Who painted the Mona Lisa?')
  await expect(assistant).toContainText('I do not know the answer to that.')
  await assistant.getByRole('button', { name: 'Open Ticket' }).last().click()
  await expect(page.getByRole('dialog', { name: 'Create Ticket' }).getByLabel('Description')).toHaveValue(
    'Who painted the Mona Lisa?',
  )
})

test('the assistant suggests questions to visitors, and answers them', async ({ app, page }) => {
  await app.open('/support')
  const assistant = page.getByRole('region', { name: 'Assistant' })
  const suggested = assistant.getByRole('list', { name: 'Suggested questions' }).getByRole('button')
  await expect(suggested).toHaveText(suggestedQuestions.visitor)
  await suggested.first().click()
  await expect(assistant.getByRole('log')).toContainText('Choose Sign In at the top of the page')
})

test('the assistant answers suggested questions from live data, and a ticket takes the conversation along', {
  tag: '@core',
}, async ({ app, page }) => {
  await app.openDashboard()
  const offline = Number(await app.chip('Offline').getByText(/^\d+$/).innerText())
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  const assistant = page.getByRole('region', { name: 'Assistant' })
  const suggested = assistant.getByRole('list', { name: 'Suggested questions' }).getByRole('button')
  await expect(suggested).toHaveCount(4)
  await suggested.filter({ hasText: 'Which terminals are offline?' }).click()
  await expect(assistant.getByRole('log')).toContainText(
    offline === 0 ? /None of your \d+ terminals is offline\./ : /of your \d+ terminals (is|are) offline:/,
  )
  await suggested.filter({ hasText: 'How much data is left?' }).click()
  await expect(assistant.getByRole('log')).toContainText(/has used [\d,.]+ of [\d,.]+ GB/)
  await expect(assistant.getByRole('link', { name: 'Open the plan manager' })).toBeVisible()
  await assistant.getByLabel('Your question').fill('Who painted the Mona Lisa?')
  await assistant.getByRole('button', { name: 'Ask' }).click()
  await assistant.getByRole('button', { name: 'Open Ticket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Ticket' })
  await expect(dialog).toContainText('Sent along: this page, your conversation with the assistant.')
  const name = `Conversation ${Date.now()}`
  await dialog.getByLabel('Full Name').fill(name)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Ticket submitted!', { exact: true })).toBeVisible()
  const number = /\d+/.exec(await page.getByText(/^Your ticket is number/).innerText())?.[0]
  const mail = await readMail('dishboard', 'support@dishboard.example', `Ticket #${number} from ${name}`)
  expect(mail.text).toContain('Question: Which terminals are offline?')
  expect(mail.text).toContain('Answer: I do not know the answer to that.')
})

test('a ticket from the page of a terminal names it', async ({ app, page }) => {
  await app.openDashboard()
  const link = app.rows.first()
  await page.goto(new URL((await link.getAttribute('href')) as string, addresses.url).href)
  await page.getByRole('button', { name: 'Open Ticket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Ticket' })
  await expect(dialog).toContainText('Sent along: this page, the terminal')
  const name = `Terminal ${Date.now()}`
  await dialog.getByLabel('Full Name').fill(name)
  await dialog.getByLabel('Description').fill('It is slow.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Ticket submitted!', { exact: true })).toBeVisible()
  const number = /\d+/.exec(await page.getByText(/^Your ticket is number/).innerText())?.[0]
  const mail = await readMail('dishboard', 'support@dishboard.example', `Ticket #${number} from ${name}`)
  expect(mail.text).toMatch(/Terminal: .*KIT/)
  expect(mail.text).toContain('Page: /terminal/')
})

test('the assistant reports the status of a signed-in user’s terminal', async ({ app, page }) => {
  await app.openDashboard()
  const row = app.rows.filter({ hasText: 'Online' }).first()
  const name = await row.locator('span span').first().innerText()
  await app.open('/support')
  const assistant = page.getByRole('region', { name: 'Assistant' })
  await assistant.getByLabel('Your question').fill(`Is ${name} online?`)
  await assistant.getByRole('button', { name: 'Ask' }).click()
  await expect(assistant).toContainText(new RegExp(`${name} (is online|is offline|sends no data|is disabled)`))
  await expect(assistant.getByRole('link', { name })).toBeVisible()
})

test('a tenant with a help desk shows its widget instead of the button, except on the support page', async ({
  app,
  page,
}) => {
  await app.open('/', 'company3')
  const helpDesk = page.getByRole('complementary', { name: 'Help desk' })
  await expect(helpDesk).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open Ticket' })).toBeHidden()
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Support' })).toBeVisible()
  await expect(helpDesk).toBeHidden()
  await expect(page.getByRole('region', { name: 'Assistant' })).toBeHidden()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(helpDesk).toBeVisible()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const copyright = await page.getByText('© ').last().boundingBox()
    const button = await helpDesk.boundingBox()
    expect((copyright?.y ?? 0) + (copyright?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
  }
})

test('a tenant’s own chatbot and help desk scripts load only on their pages', async ({ app, page }) => {
  const draw = (words: string) =>
    `{ const box = document.createElement('div'); box.textContent = '${words}'; document.body.append(box) }`
  const requests: string[] = []
  for (const [address, words] of [
    [widgets.chatbot, 'Chatbot here'],
    [widgets.helpDesk, 'Help desk here'],
  ] as const)
    await page.route(address, (route) => {
      requests.push(address)
      return route.fulfill({ contentType: 'text/javascript', body: draw(words) })
    })
  await app.open('/support', 'widgets')
  await expect(page.getByText('Chatbot here')).toBeVisible()
  expect(requests).toEqual([widgets.chatbot])
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByText('Help desk here')).toBeVisible()
  await expect(page.getByText('Chatbot here')).toBeHidden()
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await expect(page.getByText('Chatbot here')).toBeVisible()
  await expect(page.getByText('Help desk here')).toBeHidden()
  expect(requests).toEqual([widgets.chatbot, widgets.helpDesk])
})
