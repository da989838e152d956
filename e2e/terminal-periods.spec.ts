import { readFile } from 'node:fs/promises'
import { expect, test } from './app.ts'
import { getOnlineNickname, TerminalPage } from './terminal-page.ts'

interface DrawingPage {
  drawn: Set<string>
  CanvasRenderingContext2D: { prototype: { fillText: (this: unknown, text: string, ...rest: unknown[]) => void } }
}

test('each of six periods is in the URL and reloads with a spinner', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname())
  await terminal.expectPeriod('15 MIN')
  await expect(terminal.chart('Latency')).toBeVisible()
  const requested: string[] = []
  let release = () => {}
  await page.route(/\/api\/terminals\/[^/]+\/\d+\//, async (route) => {
    requested.push(route.request().url().split('/').at(-2) as string)
    await new Promise<void>((resolve) => {
      release = resolve
    })
    await route.continue()
  })
  const minutes = { '3 HRS': '180', '24 HRS': '1440', '7 DAYS': '10080', '30 DAYS': '43200', '60 DAYS': '86400' }
  for (const [name, period] of Object.entries(minutes)) {
    await terminal.period(name).click()
    await expect(page.getByText('Loading...')).toBeVisible()
    await expect.poll(() => requested.at(-1)).toBe(period)
    release()
    await expect(page.getByText('Loading...')).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`period=${period}`))
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await terminal.expectPeriod('60 DAYS')
})

test('a period that fails to load shows an error instead of the charts only', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname())
  await expect(terminal.chart('Latency')).toBeVisible()
  await page.route('**/api/terminals/*/180/', (route) =>
    route.fulfill({ status: 400, json: { message: 'Out of order.' } }),
  )
  await terminal.period('3 HRS').click()
  await expect(page.getByRole('alert').filter({ hasText: 'The charts could not be loaded.' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Subscription' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(terminal.chart('Latency')).toBeVisible()
})

test('axis labels are clock times up to a day and month, day and hour beyond', async ({ app, page }) => {
  // Text on a canvas is not in the DOM, so record what is drawn.
  await page.addInitScript(() => {
    const drawn = new Set<string>()
    const { prototype } = (globalThis as unknown as DrawingPage).CanvasRenderingContext2D
    const { fillText } = prototype
    prototype.fillText = function (text, ...rest) {
      drawn.add(text)
      return fillText.call(this, text, ...rest)
    }
    Object.assign(globalThis, { drawn })
  })
  const drawn = () => page.evaluate(() => [...(globalThis as unknown as DrawingPage).drawn])
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname(), { search: '&period=1440' })
  await expect.poll(drawn).toContainEqual(expect.stringMatching(/^\d{2}:00$/))
  expect((await drawn()).join()).not.toMatch(/[A-Z][a-z]{2} \d/)
  await terminal.period('7 DAYS').click()
  await expect.poll(drawn).toContainEqual(expect.stringMatching(/^[A-Z][a-z]{2} \d{1,2}, \d{2}:00$/))
})

test('charts expand, collapse and update', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.open(await getOnlineNickname())
  const height = async () => (await terminal.slider('Latency').boundingBox())?.height
  await expect.poll(height).toBe(160)
  await page.getByRole('button', { name: 'Expand Chart' }).click()
  await expect.poll(height).toBe(320)
  await page.getByRole('button', { name: 'Collapse Chart' }).click()
  await expect.poll(height).toBe(160)
  const requested = page.waitForRequest(/\/api\/terminals\/[^/]+\/15\//)
  await page.getByRole('button', { name: 'Update Chart' }).click()
  await requested
})

test('the period downloads as CSV with units in the header, and a failure is reported', { tag: '@core' }, async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  const nickname = await getOnlineNickname()
  await terminal.open(nickname, { search: '&period=180' })
  const requested = page.waitForRequest('**/api/download-terminal-performance/')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await requested).postDataJSON()).toEqual({ kitnumber: nickname, period: 180 })
  const file = await saving
  expect(file.suggestedFilename()).toBe(`${nickname}-3-hrs.csv`)
  const [head, first] = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(head).toContain('Downlink (Mbps)')
  expect(first).toMatch(/^20\d\d-/)
  await page.route('**/api/download-terminal-performance/', (route) =>
    route.fulfill({ status: 503, json: { message: 'Later, please.' } }),
  )
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByRole('alert')).toContainText('Error downloading CSV: Later, please.')
})

test('only the terminal page loads the chart code', async ({ app, page }) => {
  const scripts: string[] = []
  page.on('request', (request) => request.url().endsWith('.js') && scripts.push(request.url()))
  await app.openDashboard('microcom')
  expect(scripts.join()).not.toContain('SignalCharts')
  const terminal = new TerminalPage(app)
  await terminal.goTo(await getOnlineNickname())
  await expect(terminal.chart('Latency')).toBeVisible()
  expect(scripts.join()).toContain('SignalCharts')
})
