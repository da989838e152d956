import { expect, test } from './app.ts'
import { listOnline, TerminalPage } from './terminal-page.ts'
import { callApi, createActiveUser, getAdminSession } from './users.ts'

const tenant = 'microcom'

const getLineNickname = async (place: number) => {
  const { nickname } = (await listOnline(tenant)).at(place) as { nickname: string }
  return nickname
}

test('the page shows name, status, plan, location and age, and links to both lists', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  const nickname = await getLineNickname(-1)
  await terminal.open(nickname)
  await expect(page.getByRole('heading', { level: 1, name: nickname })).toBeVisible()
  await expect(page).toHaveTitle(`${nickname} · Microcom`)
  await expect(page.getByText(/Last seen \d+ s ago/)).toBeVisible()
  const links = page.getByRole('navigation', { name: 'Terminals' })
  await expect(links.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', /^\/dashboard/)
  await expect(links.getByRole('link', { name: 'Terminal Table' })).toHaveAttribute('href', /^\/terminaltable/)
  await expect(page.getByRole('application', { name: 'Map' })).toHaveAttribute('data-markers', '1')
})

test('a terminal of another tenant is refused with a message, then the dashboard opens', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const [foreign] = await listOnline('dishboard')
  await new TerminalPage(app).open(foreign?.serviceLine as string)
  await expect(page.getByRole('dialog')).toContainText('You are not authorized to view this terminal.')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('a page that fails to load says so and can be retried', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await page.route(/\/api\/terminals\/[^/]+\/\d+\//, (route) =>
    route.fulfill({ status: 400, json: { message: 'Out of order.' } }),
  )
  await terminal.open(await getLineNickname(-1))
  await expect(page.getByRole('alert')).toContainText('Out of order.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(terminal.chart('Latency')).toBeVisible()
})

test('usage, limits and blocks have names, units and decimals', { tag: '@core' }, async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = null
    detail.monthlyUsage = {
      start_date: '2026-11-09',
      priority_GB: 160.5,
      usage_limit_GB: 500,
      standard_GB: 12.25,
      data_blocks: JSON.stringify([
        { dataBlockType: 'IncludedWithBaseSubscription', consumedAmountGB: 50, totalAmountGB: 50 },
        { dataBlockType: 'RecurringPerBillingCycle', consumedAmountGB: 110.5, totalAmountGB: 450 },
        { dataBlockType: 'OneTimePurchase', consumedAmountGB: 0, totalAmountGB: 500 },
        { dataBlockType: 'Overage', consumedAmountGB: 1, totalAmountGB: null },
      ]),
    }
  })
  await terminal.open(await getLineNickname(-1))
  const usage = page.getByRole('region', { name: 'Monthly Usage' })
  await expect(usage).toContainText('160.50 GB of 500.00 GB 32.10%')
  await expect(usage.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '32.10%')
  await expect(usage).toContainText('Unused data expires at the end of your billing cycle')
  // The forecast, once known, comes before the blocks.
  await expect(usage.locator('dl').last().locator('dt')).toHaveText([
    'included',
    'Recurring',
    'Top Up',
    'Overage',
    'Standard data, unlimited',
  ])
  await expect(usage.locator('dd').last()).toHaveText('12.25 GB')
  await expect(page.getByText('Contact Support to purchase more full speed data.')).toBeVisible()
})

test('a line in a pool shows pool usage, and 0 % without a limit', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = { virtualPoolUsage: 42, virtualPoolUsageLimit: 0 }
  })
  await terminal.open(await getLineNickname(-1))
  await expect(page.getByRole('region', { name: 'Pool Usage' })).toContainText('42.00 GB of 0.00 GB 0.00%')
})

test('the line leads, its pool follows with name and lines, and the one that is over is red', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    const pool = { name: 'NORTH-Pool', lines: 12, virtualPoolUsage: 2014.23, virtualPoolUsageLimit: 810 }
    detail.virtualPlanInfo = pool
    detail.monthlyUsage = {
      ...{ start_date: '2026-11-10', end_date: '2026-12-10', data_blocks: '[]' },
      ...{ priority_GB: 66, usage_limit_GB: 500, standard_GB: 0 },
    }
    detail.dailyUsage = [{ date: `${new Date().toISOString().slice(0, 8)}01`, priorityGB: 1, standardGB: 0 }]
  })
  await terminal.open(await getLineNickname(-1))
  const [own, pool] = [
    page.getByRole('region', { name: 'Monthly Usage' }),
    page.getByRole('region', { name: 'Pool Usage' }),
  ]
  await expect(own).toContainText('66.00 GB of 500.00 GB 13.20%')
  await expect(own.locator('[data-over]')).toHaveCount(0)
  await expect(pool).toContainText('NORTH-Pool, 12 lines')
  await expect(pool).toContainText('2014.23 GB of 810.00 GB 248.67%')
  await expect(pool.locator('[data-over]')).toHaveCount(2)
  await expect(page.getByText('Billing cycle 10 Nov to 10 Dec')).toBeVisible()
})

test('missing usage data is reported', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = null
    detail.monthlyUsage = null
    detail.dailyUsage = []
  })
  await terminal.open(await getLineNickname(-1))
  await expect(page.getByText('No usage data available.')).toHaveCount(2)
})

test('month tabs range from January to the current month', async ({ app, page }) => {
  await page.clock.setFixedTime(new Date('2026-03-02T03:00:00Z'))
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.dailyUsage = [
      { date: '2026-02-28', priorityGB: 1.5, standardGB: 0.25 },
      { date: '2026-03-01', priorityGB: 7, standardGB: 1 },
      { date: '2026-03-02', priorityGB: 2, standardGB: 0 },
    ]
  })
  await terminal.open(await getLineNickname(-1))
  const months = page.getByRole('tablist', { name: 'Month' }).getByRole('tab')
  await expect(months).toHaveText(['February', 'March'])
  await expect(page.getByText('Total consumption 10.00 GB')).toBeVisible()
  await months.first().click()
  await expect(months).toHaveText(['January', 'February', 'March'])
  await expect(page).toHaveURL(/month=2026-02/)
  await expect(page.getByText('Total consumption 1.75 GB')).toBeVisible()
  await expect(page.getByText('2026-02-28: priority 1.50 GB, standard 0.25 GB')).toBeAttached()
  await months.first().click()
  await expect(months).toHaveText(['January', 'February'])
  await expect(page.getByText('No usage data available.')).toBeVisible()
})

test('every terminal and router has a tab, with N/A for unknown values', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    const [first] = detail.terminal_data
    Object.assign(first, {
      kitnumber: 'KIT000123456',
      deviceid: 'ut-first',
      activeAlerts: '["high_sky_obstruction","mast_not_vertical"]',
      ipv4: '100.64.3.7',
      ipv6_ue: null,
      ipv6_cpe: '2605:59c8:784:1300::/56',
      uptime: 273_845,
      terminal_config: JSON.stringify(JSON.stringify({ snowMeltMode: 'ALWAYS_ON' })),
      routers: [
        {
          router_id: 'Router-0100000000000000ABCDEF',
          hardware_version: null,
          clients: null,
          wifi_uptime_S: null,
          update_from_telemetry: null,
          wifi_is_repeater: 'true',
          wifi_is_bypass: false,
          wifi_software_version: null,
        },
      ],
    })
    detail.terminal_data.push({
      ...first,
      kitnumber: 'KIT000999999',
      deviceid: 'ut-second',
      activeAlerts: '[]',
      ipv4: null,
      ipv6_cpe: null,
      uptime: null,
      update_from_telemetry: null,
      terminal_config: null,
      routers: [],
    })
  })
  await terminal.open(await getLineNickname(-1))
  const devices = page.getByRole('tablist', { name: 'Devices' }).getByRole('tab')
  await expect(devices).toHaveText(['terminal-123456', 'terminal-999999', 'router-ABCDEF'])
  await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
    /^Sky is obstructed/,
    /^Mast is not vertical.*Set the mast upright/,
  ])
  await expect(terminal.info('KIT NUMBER')).toHaveText('ut-first')
  await expect(terminal.info('STARLINK ID')).toHaveText('KIT000123456')
  await expect(terminal.info('IPs').locator('code')).toHaveText(['100.64.3.7', '2605:59c8:784:1300::/56'])
  await expect(terminal.info('UPTIME')).toHaveText('3 days, 4 hours, 4 minutes')
  await expect(terminal.info('LAST UPDATED')).toHaveText(/ago$/)
  await expect(page.getByLabel('Snow Melt Mode')).toHaveValue('ALWAYS_ON')

  await devices.nth(1).click()
  await expect(page).toHaveURL(/device=ut-second/)
  await expect(page.getByLabel('Snow Melt Mode')).toHaveValue('AUTO')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(terminal.info('UPTIME')).toHaveText('N/A')
  await expect(terminal.info('IPs')).toHaveText('N/A')

  await devices.nth(2).click()
  const shown = ['HARDWARE VERSION', 'CLIENTS', 'UPTIME', 'LAST UPDATED', 'IS REPEATER', 'BYPASSED', 'SOFTWARE VERSION']
  const values = await Promise.all(shown.map((name) => terminal.info(name).innerText()))
  expect(values).toEqual(['N/A', 'N/A', 'N/A', 'N/A', 'TRUE', 'NO', 'N/A'])
  await expect(terminal.chart('Latency')).toHaveCount(0)
})

test('a line without a terminal shows No data to show', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.terminal_data = []
  })
  await terminal.open(await getLineNickname(-1))
  await expect(page.getByText('No data to show')).toBeVisible()
})

test('name and metadata are edited with a pencil and validated', async ({ app, page }) => {
  const nickname = await getLineNickname(-2)
  await new TerminalPage(app).open(nickname)
  const name = page.getByRole('textbox', { name: 'Custom Name' })
  await expect(name).toBeDisabled()
  await page.getByRole('button', { name: 'Edit Custom Name' }).click()
  await expect(name).toBeFocused()
  await name.fill('Utqiaġvik / Barrow')
  await expect(page.getByText('Only letters, numbers, spaces, underscores, and dashes are accepted.')).toBeVisible()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('button', { name: 'Save Custom Name' })).toBeDisabled()
  await name.press('Escape')
  await expect(name).not.toHaveValue('Utqiaġvik / Barrow')

  await page.getByRole('button', { name: 'Edit Custom Name' }).click()
  await name.fill('  Utqiaġvik_north-2 ')
  const renamed = page.waitForRequest('**/api/update-service-line-custom-name/**')
  await page.getByRole('button', { name: 'Save Custom Name' }).click()
  expect(Object.keys((await renamed).postDataJSON())).toEqual(['customname'])
  await expect(page.getByRole('heading', { level: 1, name: 'Utqiaġvik_north-2' })).toBeVisible()
  await expect(name).toBeDisabled()

  const metadata = page.getByRole('textbox', { name: 'Metadata 2' })
  await page.getByRole('button', { name: 'Edit Metadata 2' }).click()
  await metadata.pressSequentially('x'.repeat(61))
  await expect(metadata).toHaveValue('x'.repeat(60))
  await metadata.press('Enter')
  await expect(metadata).toBeDisabled()
  await page.reload()
  await expect(metadata).toHaveValue('x'.repeat(60))
  await expect(name).toHaveValue('Utqiaġvik_north-2')
})

test('a name that fails to save stays in the field, with the reason', async ({ app, page }) => {
  await new TerminalPage(app).open(await getLineNickname(-1))
  await page.route('**/api/update-service-line-custom-name/**', (route) =>
    route.fulfill({ status: 500, json: { message: 'Not today.' } }),
  )
  await page.getByRole('button', { name: 'Edit Custom Name' }).click()
  await page.keyboard.type(' two')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Not today.')
  await expect(page.getByRole('button', { name: 'Save Custom Name' })).toBeEnabled()
  await expect(page.getByRole('textbox', { name: 'Custom Name' })).toHaveValue(/ two$/)
})

test('permissions decide what the page offers', { tag: '@core' }, async ({ app, page }) => {
  const user = await createActiveUser(tenant)
  const { access } = await getAdminSession(tenant)
  const grant = (item_code: string, value: string) =>
    callApi(tenant, 'PATCH', '/acp/value/', { token: access, body: { user_id: user.id, item_code, value } })
  const { session } = user
  await app.remember(session)
  const { body } = await callApi(tenant, 'GET', '/terminals/', { token: session.access })
  const nickname = (body.data as { nickname: string }[])[0]?.nickname as string
  await new TerminalPage(app).goTo(nickname)
  await expect(page.getByRole('textbox', { name: 'Custom Name' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Custom Name' })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: /Metadata/ })).toHaveCount(0)
  await expect(page.getByLabel('IP Policy')).toBeEnabled()

  // Without a reload: permission changes show by polling.
  await grant('metadata', 'read_only')
  await grant('terminal_control', 'false')
  await expect(page.getByRole('textbox', { name: /Metadata/ })).toHaveCount(3)
  await expect(page.getByRole('button', { name: /Edit Metadata/ })).toHaveCount(0)
  await expect(page.getByLabel('IP Policy')).toBeDisabled()
  await expect(page.getByLabel('Snow Melt Mode')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Reboot' })).toBeDisabled()
  await expect(page.getByText('You don’t have permission to change this.').first()).toBeVisible()

  await grant('metadata', 'read_write')
  await grant('rename_terminal', 'true')
  await expect(page.getByRole('button', { name: /Edit Metadata/ })).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Edit Custom Name' })).toBeVisible()
})
