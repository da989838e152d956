import { expect, test } from './app.ts'
import { getOnlineNickname, listOnline, TerminalPage } from './terminal-page.ts'
import { callApi, createActiveUser, getAdminSession } from './users.ts'

const tenant = 'microcom'

test('the page shows name, status, plan, location and age, and links to both lists', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  const nickname = await getOnlineNickname()
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
  await terminal.open(await getOnlineNickname())
  await expect(page.getByRole('alert')).toContainText('Out of order.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(terminal.chart('Latency')).toBeVisible()
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
  await terminal.open(await getOnlineNickname())
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
  await terminal.open(await getOnlineNickname())
  await expect(page.getByText('No data to show')).toBeVisible()
  // The map shows where the line is.
  await expect(page.getByRole('application', { name: 'Map' })).toHaveAttribute('data-markers', '1')
})

test('name and metadata are edited with a pencil and validated', async ({ app, page }) => {
  const nickname = await getOnlineNickname(-2)
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
  await new TerminalPage(app).open(await getOnlineNickname())
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
