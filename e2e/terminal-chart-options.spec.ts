import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { mapMeasures } from '#contract/measures.ts'
import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { listOnline, TerminalPage, type WireDetail } from './terminal-page.ts'

const fromMs = Date.parse('2026-11-15T12:00:00Z')
const stepMs = 15_000
const weekMs = 7 * 86_400_000
const at = (step: number) => new Date(fromMs + step * stepMs).toISOString()

/** 61 samples whose latency is 40 ms with one peak, and a user's command in the middle. */
function setSignals(detail: WireDetail, latency: number, shiftMs = 0) {
  const values = (step: number) => ({ ...mapMeasures(() => 0.5), latency: step === 30 ? 900 : latency })
  detail.period = { from: at(0), to: at(60) }
  Object.assign(detail.terminal_data[0], {
    stepS: 15,
    signals: Array.from({ length: 61 }, (_, step) => ({
      timestamp: (Date.parse(at(step)) + shiftMs) * 1000,
      ...values(step),
    })),
    bands: null,
    unobserved: [],
  })
  detail.receipts = [
    {
      id: '1',
      kind: 'reboot',
      desired: null,
      deviceid: null,
      state: 'seen',
      requestedBy: 'ada@example.com',
      requestedAt: at(20),
      acceptedAt: at(20),
      settledAt: at(24),
      problem: null,
    },
  ]
}

/** The page's line has 40 ms, a week before 80 ms; any other line has 60 ms. */
async function serveSteadyLatency(page: Page, nickname: string) {
  await page.route(/\/api\/terminals\/[^/]+\/\d+\//, async (route) => {
    const request = route.request()
    const isOwn = new URL(request.url()).pathname.includes(`/${encodeURIComponent(nickname)}/`)
    const isPast = (request.postData() ?? '').includes('"at"')
    const response = await route.fetch(isPast ? { postData: '{}' } : {})
    if (!response.ok()) return route.fulfill({ response })
    const detail = await response.json()
    setSignals(detail, isPast ? 80 : isOwn ? 40 : 60, isPast ? -weekMs : 0)
    await route.fulfill({ response, json: detail })
  })
}

async function openCharts(terminal: TerminalPage, search = '') {
  const [own, other] = await listOnline('microcom')
  const nickname = own?.nickname as string
  await serveSteadyLatency(terminal.page, nickname)
  await terminal.open(nickname, { search })
  return { nickname, other: other?.nickname as string }
}

const read = async (download: Download) => readFile(await download.path())

test('the line is the samples, their median or their 95th percentile, and the URL holds it', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await openCharts(terminal)
  await page.getByRole('button', { name: 'Chart Options' }).click()
  await page.getByLabel('Line').selectOption('95th percentile')
  await expect(page).toHaveURL(/line=p95/)
  await expect(page.getByText('95th percentile of the samples within 5 min around each moment')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Line')).toHaveValue('p95')
  await terminal.slider('Latency').press('End')
  await expect(terminal.chart('Latency')).toContainText(/: 40\.00 ms; 95th percentile 40\.00 ms/)
})

test('the charts are compared with the week before', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await openCharts(terminal)
  await page.getByRole('button', { name: 'Chart Options' }).click()
  await page.getByLabel('Compare with').selectOption('The week before')
  await expect(page).toHaveURL(/compare=week/)
  await terminal.slider('Latency').press('End')
  await expect(terminal.slider('Latency')).toHaveAttribute('aria-valuetext', /: 40\.00 ms; The week before 80\.00 ms$/)
})

test('the charts are compared with another terminal, and not with one that the user may not see', async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  const { other } = await openCharts(terminal)
  await page.getByRole('button', { name: 'Chart Options' }).click()
  await page.getByLabel('Compare with').selectOption('Another terminal')
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).click()
  await page.getByRole('listbox', { name: 'Terminal' }).getByRole('option').first().click()
  await expect(page).toHaveURL(/compare=/)
  await terminal.slider('Latency').press('End')
  await expect(terminal.slider('Latency')).toHaveAttribute('aria-valuetext', /: 40\.00 ms; .+ 60\.00 ms$/)
  await terminal.goTo(other, { search: '&compare=no-such-line' })
  await expect(page.getByRole('combobox', { name: 'Terminal', exact: true })).toHaveValue('no-such-line')
  await expect(page.getByRole('combobox', { name: 'Terminal', exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(terminal.chart('Latency')).toBeVisible()
})

test('a command is a mark that says who, when and what came of it, in all charts', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await openCharts(terminal)
  await expect(terminal.chart('Latency')).toBeVisible()
  const mark = page.getByRole('button', { name: /^Reboot by ada@example\.com, seen in telemetry: .*2026/ })
  await mark.focus()
  for (const name of ['Latency', 'Obstruction'])
    await expect(terminal.chart(name)).toContainText('Reboot by ada@example.com, seen in telemetry')
  await mark.blur()
  await expect(terminal.chart('Latency')).not.toContainText('Reboot')
  await mark.hover()
  await expect(terminal.slider('Latency')).toHaveAttribute('aria-valuetext', /Reboot by ada/)
})

test('each chart is saved as a picture and as a table of what is drawn', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await openCharts(terminal, '&line=median&compare=week')
  await expect(page.getByRole('listitem').filter({ hasText: 'The week before' })).toBeVisible()
  const save = async (kind: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'Save Latency' })
        .click()
        .then(() => page.getByRole('menuitem', { name: kind }).click()),
    ])
    return download
  }
  await page.evaluate(() => {
    const font = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, 'font') as PropertyDescriptor
    const fonts: string[] = []
    Object.assign(window, { fonts })
    Object.defineProperty(CanvasRenderingContext2D.prototype, 'font', {
      ...font,
      set(text: string) {
        fonts.push(text)
        font.set?.call(this, text)
      },
    })
  })
  const picture = await save('Picture (PNG)')
  // All of its texts have the font of the app.
  const fonts = await page.evaluate(() => (window as unknown as { fonts: string[] }).fonts)
  expect(fonts.length).toBeGreaterThan(1)
  expect(fonts.filter((font) => !font.includes('Inter'))).toEqual([])
  expect(picture.suggestedFilename()).toMatch(/-latency\.png$/)
  const bytes = await read(picture)
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(bytes.readUInt32BE(20)).toBeGreaterThan(200)
  const rows = (await read(await save('Table (CSV)'))).toString().trim().split('\r\n')
  expect(rows[0]).toMatch(/^Time \(.+\),Latency \(ms\),Median \(ms\),The week before \(ms\)$/)
  expect(rows).toHaveLength(62)
  expect(rows[1]).toMatch(/^2026-11-15T03:00:00\.000-09:00,40,40,80$/)
})

for (const display of [...displays, { ...displays[0], width: 720 as 360, title: 'light at 200% of 1440 px' }]) {
  test(`charts with their options in ${display.title} have no axe violations and do not scroll sideways`, async ({
    app,
    page,
  }) => {
    await setDisplay(page, display as (typeof displays)[number])
    const terminal = new TerminalPage(app)
    await openCharts(terminal, '&line=median&compare=week')
    await expect(page.getByRole('listitem').filter({ hasText: 'The week before' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save Latency' }).click()
    await expect(page.getByRole('menuitem', { name: 'Table (CSV)' })).toBeVisible()
    await expectAccessible(page, 'with the menu')
  })
}
