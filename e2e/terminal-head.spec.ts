import { expect, test } from './app.ts'
import { getOnlineNickname, TerminalPage } from './terminal-page.ts'

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`newest values, history and the first chart are on the first screen of ${viewport.width} px`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize(viewport)
    const terminal = new TerminalPage(app)
    await terminal.open(await getOnlineNickname())
    const head = page.getByRole('main').locator('header').first()
    for (const name of ['Down', 'Up', 'Latency', 'Drop', 'Signal', 'Uptime', /^(Data left|Left in pool)$/])
      await expect(head.getByText(name, { exact: true })).toBeInViewport({ ratio: 1 })
    for (const name of [/^24 hours: /, /^30 days: /]) await expect(page.getByRole('img', { name })).toBeInViewport()
    await expect(terminal.chart('Downlink Throughput')).toBeInViewport({ ratio: 0.5 })
  })
}

test('on the narrowest phone, the newest values stand on one line with their units', async ({ app, page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    const [dish] = detail.terminal_data
    for (const [key, last] of Object.entries({
      downlink: 0.4008,
      uplink: 0.4008,
      latency: 149.9,
      signal_quality: 0.957,
    }))
      dish.extremes[key].last = last
    dish.uptime = 27 * 86_400 + 23 * 3600
    detail.virtualPlanInfo = null
    detail.monthlyUsage = { ...detail.monthlyUsage, priority_GB: 217.3, usage_limit_GB: 1000 }
  })
  await terminal.open(await getOnlineNickname())
  const values = page.getByRole('main').locator('header').first().locator('dd')
  await expect(values).toHaveText(['410.42 Kbps', '410.42 Kbps', '149.90 ms', /%$/, '95.7%', '27 d 23 h', '782.7 GB'])
  await page.evaluate(async () => void (await document.fonts.ready))
  const wrapped = await values.evaluateAll((all) => all.filter(({ clientHeight }) => clientHeight >= 40).length)
  expect(wrapped).toBe(0)
})

test('the first chart is on the first screen of a phone below a long name, an alert and two routers', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const terminal = new TerminalPage(app)
  await terminal.patchDetail(({ service_line_data, terminal_data: [dish] }) => {
    service_line_data.customname = 'Kodiak Harbor - main building'
    dish.activeAlerts = JSON.stringify(['ethernet_slow_100mbps'])
    const [router] = dish.routers
    dish.routers = [router, { ...router, router_id: 'Router-010000000000000000D0E99E' }]
  })
  await terminal.open(await getOnlineNickname())
  await expect(page.getByRole('tablist', { name: 'Devices' }).getByRole('tab')).toHaveCount(3)
  await expect(page.getByText('Active alerts')).toBeInViewport({ ratio: 1 })
  await expect(terminal.chart('Downlink Throughput')).toBeInViewport({ ratio: 0.3 })
})

test('dragging over a chart shows that part of the time in all of them, and the URL holds it', async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname())
  const box = (await terminal.slider('Latency').boundingBox()) as { x: number; y: number; width: number }
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/zoom=\d+-\d+/)
  await page.reload()
  await page.getByRole('button', { name: 'Reset Zoom' }).click()
  await expect(page).not.toHaveURL(/zoom=/)
  await terminal.slider('Latency').press('+')
  await expect(page.getByRole('button', { name: 'Reset Zoom' })).toBeVisible()
  await terminal.slider('Latency').press('-')
  await expect(page.getByRole('button', { name: 'Reset Zoom' })).toHaveCount(0)
})
