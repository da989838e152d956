import type { Locator } from '@playwright/test'
import { expect, playScenario, test } from './app.ts'
import { getOnlineNickname, TerminalPage } from './terminal-page.ts'

// Serial: one of them takes the vendor down.
test.describe.configure({ mode: 'default' })

const tenant = 'company3'
/** Unlike company3, this demo tenant has snow melt configurations. */
const tenantWithSnowMelt = 'microcom'

/** A value that the line does not have: some have a public address or top up from the beginning. */
const findOther = async (control: Locator) => {
  const current = await control.inputValue()
  const values = await control.locator('option').evaluateAll((options) => options.map((option) => option.textContent))
  return values.find((value) => value !== current) as string
}

test('an IP policy change is sent, shows the returned value and has a receipt', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  const nickname = await getOnlineNickname(0, tenant)
  await terminal.open(nickname, { tenant })
  const policy = page.getByLabel('IP Policy')
  const other = await findOther(policy)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/update-service-line-ip-policy/**', async (route) => {
    await released
    await route.continue()
  })
  const requested = page.waitForRequest('**/api/update-service-line-ip-policy/**')
  await policy.selectOption(other)
  expect((await requested).postDataJSON()).toEqual({ ip_policy: other, sl: expect.any(String) })
  await expect(policy).toBeDisabled()
  await expect(policy).toHaveValue('Updating...')
  release()
  await expect(policy).toHaveValue(other)
  await expect(policy).toBeEnabled()
  await expect(
    page.getByRole('status').filter({ hasText: new RegExp(`${other}: .*(Accepted by the vendor|Seen in telemetry)`) }),
  ).toContainText('by admin@company3.example')
  await page.reload()
  await expect(policy).toHaveValue(other)
})

test('while the vendor is down, a notice says so, controls revert and no receipt claims success', async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(-1, tenantWithSnowMelt), { tenant: tenantWithSnowMelt })
  const controls = ['IP Policy', 'Automatic Top Up', 'Snow Melt Mode'].map((label) => page.getByLabel(label))
  for (const control of controls) await expect(control).toBeEnabled()
  await playScenario('all-failing', true)
  try {
    for (const control of controls) {
      const before = await control.inputValue()
      await control.selectOption(await findOther(control))
      await expect(page.getByRole('alert').last()).toContainText(/^.*Starlink (cannot be reached|did not say)/)
      await expect(control).toBeEnabled()
      await expect(control).toHaveValue(before)
    }
    const button = page.getByRole('region', { name: 'Commands' }).getByRole('button', { name: 'Reboot' })
    await button.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reboot' }).click()
    await expect(button).toBeEnabled()
    await expect(page.getByRole('region', { name: 'Commands' })).not.toContainText(/Accepted|Seen in telemetry/)
  } finally {
    await playScenario('all-failing', false)
  }
})

test('a response without a value reverts the selector', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(1, tenant), { tenant })
  const topUp = page.getByLabel('Automatic Top Up')
  await page.route('**/api/update-service-line-opt-in/**', (route) => route.fulfill({ json: {} }))
  const before = await topUp.inputValue()
  await topUp.selectOption(await findOther(topUp))
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(topUp).toHaveValue(before)
})

test('automatic top up stays changed after a reload', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(2, tenant), { tenant })
  const topUp = page.getByLabel('Automatic Top Up')
  const other = await findOther(topUp)
  await topUp.selectOption(other)
  await expect(topUp).toHaveValue(other)
  await expect(
    page.getByRole('status').filter({ hasText: new RegExp(`${other}: .*(Accepted by the vendor|Seen in telemetry)`) }),
  ).toBeVisible()
  await page.reload()
  await expect(topUp).toHaveValue(other)
})

test('unconfigured snow melt is refused with a message and reverts', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(3, tenant), { tenant })
  const mode = page.getByLabel('Snow Melt Mode')
  const before = await mode.inputValue()
  const refused = page.waitForResponse('**/api/update-terminal-snow-melt-mode/**')
  await mode.selectOption('ALWAYS_OFF')
  expect((await refused).status()).toBe(409)
  await expect(page.getByRole('alert')).toContainText('Snow melt ALWAYS_OFF cannot be set')
  await expect(mode).toHaveValue(before)
})

test('snow melt is set through the tenant’s configuration and survives a reload', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(-2, tenantWithSnowMelt), { tenant: tenantWithSnowMelt })
  const mode = page.getByLabel('Snow Melt Mode')
  await expect(mode).toHaveValue('AUTO')
  const responded = page.waitForResponse('**/api/update-terminal-snow-melt-mode/**')
  await mode.selectOption('ALWAYS_ON')
  expect(await (await responded).json()).toEqual({ snowMeltMode: 'ALWAYS_ON' })
  await expect(mode).toHaveValue('ALWAYS_ON')
  await expect(page.getByRole('status').filter({ hasText: /ALWAYS_ON: .*Accepted by the vendor/ })).toContainText(
    'by admin@microcom.example',
  )
  await page.reload()
  await expect(mode).toHaveValue('ALWAYS_ON')
})

test('a reboot is sent once and confirmed when the uptime restarts', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(4, tenant), { tenant })
  const button = page.getByRole('region', { name: 'Commands' }).getByRole('button', { name: 'Reboot' })
  let calls = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/reboot-terminal/**', async (route) => {
    calls++
    await released
    await route.continue()
  })
  await button.click()
  const question = page.getByRole('dialog', { name: /^Reboot .+\?$/ })
  await expect(question).toContainText('offline for about')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(calls).toBe(0)
  await button.click()
  await question.getByRole('button', { name: 'Reboot' }).click()
  await expect(button).toBeDisabled()
  release()
  const commands = page.getByRole('region', { name: 'Commands' })
  await expect(commands).toContainText(/(Accepted by the vendor|Seen in telemetry)/)
  await expect(commands).toContainText('by admin@company3.example')
  await expect(commands).toContainText('Seen in telemetry', { timeout: 240_000 })
  // Disabled while it is sent, and while the dish is off.
  await expect(button).toBeEnabled()
  await expect(terminal.info('UPTIME')).toHaveText(/^0 days, 0 hours, \d minutes?$/)
  await page.getByText('Command history').click()
  await expect(page.getByRole('list', { name: 'Command history' }).getByRole('listitem').first()).toContainText(
    /^Reboot: Seen in telemetry.*admin@company3\.example.*Back after/,
  )
  expect(calls).toBe(1)
})

test('an unconfirmed command shows time, sender and reason', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.receipts = [
      {
        id: '1',
        kind: 'reboot',
        desired: null,
        deviceid: detail.terminal_data[0].deviceid,
        state: 'not confirmed',
        requestedBy: 'somebody@company3.example',
        requestedAt: new Date(Date.now() - 3_600_000).toISOString(),
        acceptedAt: new Date(Date.now() - 3_600_000).toISOString(),
        settledAt: new Date(Date.now() - 1_800_000).toISOString(),
        problem: 'The terminal did not restart in time.',
      },
    ]
  })
  await terminal.open(await getOnlineNickname(1, tenant), { tenant })
  await expect(page.getByRole('region', { name: 'Commands' }).getByRole('status')).toHaveText(
    'Not confirmed 30 min ago. Requested 1 h ago by somebody@company3.example. The terminal did not restart in time.',
  )
})
