import { expect, test } from './house.ts'
import { listOnline, TerminalPage } from './terminal-page.ts'

const tenant = 'company3'

/** Each test commands a line of its own. */
const lineOf = async (place: number) => {
  const lines = await listOnline(tenant)
  return lines.at(place)?.nickname as string
}

const vendorSays = (status: number, message: string) => ({ status, json: { error: 'vendor', message, msg: message } })

test('an IP policy is asked for, taken from the answer, and has its receipt', async ({ house, page }) => {
  const terminal = new TerminalPage(house)
  const nickname = await lineOf(0)
  await terminal.open(nickname, { tenant })
  const policy = page.getByLabel('IP Policy')
  await expect(policy).toHaveValue('default')
  let release = () => {}
  await page.route('**/api/update-service-line-ip-policy/**', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/update-service-line-ip-policy/**')
  await policy.selectOption('public ip')
  expect((await asked).postDataJSON()).toEqual({ ip_policy: 'public ip', sl: expect.any(String) })
  await expect(policy).toBeDisabled()
  await expect(policy).toHaveValue('Updating...')
  release()
  await expect(policy).toHaveValue('public ip')
  await expect(policy).toBeEnabled()
  await expect(page.getByText(/public ip: .*(Accepted by the vendor|Seen in telemetry)/)).toContainText(
    'by admin@company3.example',
  )
  await page.reload()
  await expect(policy).toHaveValue('public ip')
})

test('automatic top up goes back with a clear notice when the vendor is down', async ({ house, page }) => {
  const terminal = new TerminalPage(house)
  await terminal.open(await lineOf(1), { tenant })
  const topUp = page.getByLabel('Automatic Top Up')
  await expect(topUp).toHaveValue('opt out')
  await page.route('**/api/update-service-line-opt-in/**', (route) =>
    route.fulfill(vendorSays(503, 'Starlink cannot be reached. Nothing was changed.')),
  )
  await topUp.selectOption('opt in')
  await expect(page.getByRole('alert')).toContainText('Starlink cannot be reached. Nothing was changed.')
  await expect(topUp).toHaveValue('opt out')
  await expect(topUp).toBeEnabled()
})

test('an answer without a value leaves the selector as it was', async ({ house, page }) => {
  const terminal = new TerminalPage(house)
  await terminal.open(await lineOf(1), { tenant })
  const topUp = page.getByLabel('Automatic Top Up')
  await page.route('**/api/update-service-line-opt-in/**', (route) => route.fulfill({ json: {} }))
  await topUp.selectOption('opt in')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(topUp).toHaveValue('opt out')
})

test('automatic top up that was switched on stays on', async ({ house, page }) => {
  const terminal = new TerminalPage(house)
  await terminal.open(await lineOf(2), { tenant })
  const topUp = page.getByLabel('Automatic Top Up')
  await topUp.selectOption('opt in')
  await expect(topUp).toHaveValue('opt in')
  await expect(page.getByText(/opt in: .*(Accepted by the vendor|Seen in telemetry)/)).toBeVisible()
  await page.reload()
  await expect(topUp).toHaveValue('opt in')
})

test('snow melt that nobody configured is refused in words and goes back', async ({ house, page }) => {
  const terminal = new TerminalPage(house)
  await terminal.open(await lineOf(3), { tenant })
  const mode = page.getByLabel('Snow Melt Mode')
  const before = await mode.inputValue()
  const refused = page.waitForResponse('**/api/update-terminal-snow-melt-mode/**')
  await mode.selectOption('ALWAYS_OFF')
  expect((await refused).status()).toBe(409)
  await expect(page.getByRole('alert')).toContainText('Snow melt ALWAYS_OFF cannot be set')
  await expect(mode).toHaveValue(before)
})

test('a reboot is asked for once and is seen when the uptime began anew', async ({ house, page }) => {
  test.setTimeout(240_000)
  const terminal = new TerminalPage(house)
  await terminal.open(await lineOf(4), { tenant })
  const button = page.getByRole('button', { name: 'Reboot' })
  let calls = 0
  let release = () => {}
  await page.route('**/api/reboot-terminal/**', async (route) => {
    calls++
    await new Promise<void>((resolve) => {
      release = resolve
    })
    await route.continue()
  })
  await button.click()
  await expect(button).toBeDisabled()
  release()
  await expect(button).toBeEnabled()
  const commands = page.getByRole('region', { name: 'Commands' })
  await expect(commands).toContainText(/(Accepted by the vendor|Seen in telemetry)/)
  await expect(commands).toContainText('by admin@company3.example')
  await expect(commands).toContainText('Seen in telemetry', { timeout: 200_000 })
  await expect(terminal.info('UPTIME')).toHaveText(/^0 days, 0 hours, \d minutes?$/)
  expect(calls).toBe(1)
})

test('a command that was not confirmed says so, since when, who asked and why', async ({ house, page }) => {
  const terminal = new TerminalPage(house)
  await terminal.amend((detail) => {
    detail.receipts = [
      {
        id: '1',
        kind: 'reboot',
        wish: null,
        deviceid: detail.terminal_data[0].deviceid,
        state: 'not confirmed',
        askedBy: 'somebody@company3.example',
        askedAt: new Date(Date.now() - 3_600_000).toISOString(),
        acceptedAt: new Date(Date.now() - 3_600_000).toISOString(),
        settledAt: new Date(Date.now() - 1_800_000).toISOString(),
        problem: 'The terminal did not restart in time.',
      },
    ]
  })
  await terminal.open(await lineOf(1), { tenant })
  await expect(page.getByRole('region', { name: 'Commands' }).getByRole('status')).toHaveText(
    'Not confirmed 30 min ago. Asked 1 h ago by somebody@company3.example. The terminal did not restart in time.',
  )
})
