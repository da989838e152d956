import type { Locator } from '@playwright/test'
import { mapMeasures } from '#contract/measures.ts'
import { expect, test } from './app.ts'
import { getOnlineNickname, TerminalPage, type WireDetail } from './terminal-page.ts'

const measured = {
  ...mapMeasures(() => 0.5),
  downlink: 12.5,
  uplink: 0.5,
  latency: 41.239,
  pingdrop: 0.0123,
  signal_quality: 0.97,
  obstruction: 0,
}

/** 101 points of one value, without data from 40 to 60 %; from 50 % on, the feed itself was down. */
function setSteadySignals(detail: WireDetail) {
  const fromMs = Date.parse('2026-11-15T12:00:00Z')
  const stepMs = 15_000
  const at = (percent: number) => fromMs + percent * stepMs
  const lastAt = new Date(Date.now() - 50 * 3_600_000).toISOString()
  const points = Array.from({ length: 101 }, (_, percent) => percent).filter((it) => it < 40 || it > 60)
  detail.period = { from: new Date(at(0)).toISOString(), to: new Date(at(100)).toISOString() }
  Object.assign(detail.terminal_data[0], {
    stepS: 15,
    signals: points.map((percent) => ({ timestamp: at(percent) * 1000, ...measured })),
    bands: null,
    extremes: mapMeasures((key) => ({ min: measured[key], max: measured[key], last: measured[key], lastAt })),
    unobserved: [{ from: new Date(at(50)).toISOString(), to: new Date(at(61)).toISOString() }],
  })
}

/** Painted pixels between two percentages of the plot's width: of the line, of anything, and their share of the area. */
const countInk = (slider: Locator, from: number, to: number) =>
  slider.evaluate(
    (element, part) => {
      const canvas = element.querySelector('canvas') as HTMLCanvasElement
      const over = element.querySelector('.u-over') as HTMLElement
      const ratio = canvas.width / canvas.clientWidth
      const left = Math.round((over.offsetLeft + (over.clientWidth * part.from) / 100) * ratio)
      const top = Math.round(over.offsetTop * ratio)
      const width = Math.round(((over.clientWidth * (part.to - part.from)) / 100) * ratio)
      const height = Math.round(over.clientHeight * ratio)
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(left, top, width, height)
      let line = 0
      let any = 0
      for (let index = 0; index < data.length; index += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index, index + 4)
        if (alpha > 40) any++
        if (alpha > 120 && blue - red > 80 && blue - green > 50) line++
      }
      return { line, any, share: any / (width * height) }
    },
    { from, to },
  )

test('the values of the charts are shown before their code has loaded, and stay in place', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/SignalCharts-[^/]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await terminal.patchDetail(setSteadySignals)
  await terminal.open(await getOnlineNickname())
  const readValues = () =>
    page.getByRole('region', { name: 'Performance' }).evaluate((region) =>
      [...region.querySelectorAll('section')].map((chart) => ({
        text: chart.querySelector('dl')?.innerText,
        top: chart.getBoundingClientRect().top - region.getBoundingClientRect().top,
        height: chart.getBoundingClientRect().height,
      })),
    )
  await expect.poll(async () => (await readValues()).length).toBe(6)
  const before = await readValues()
  expect(before[2]?.text).toContain('41.24 ms')
  await expect(terminal.chart('Latency')).toHaveCount(0)
  release()
  await expect(terminal.chart('Latency')).toBeVisible()
  expect(await readValues()).toEqual(before)
})

test('each chart shows MIN, MAX and LAST with unit and two decimals, and how old LAST is', { tag: '@core' }, async ({
  app,
}) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail(setSteadySignals)
  await terminal.open(await getOnlineNickname())
  const expected = {
    'Downlink Throughput': '12.50 Mbps',
    'Uplink Throughput': '512.00 Kbps',
    Latency: '41.24 ms',
    'Ping Drop Rate': '1.23%',
    'Signal Quality': '97.00%',
    Obstruction: '0.00%',
  }
  for (const [name, text] of Object.entries(expected)) {
    await expect(terminal.chart(name).locator('dl > div')).toHaveText([
      `MIN${text}`,
      `MAX${text}`,
      `LAST${text}2 d ago`,
    ])
  }
})

test('missing data is a gap in the line, hatched also where no reason is known', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail(setSteadySignals)
  await terminal.open(await getOnlineNickname())
  const slider = terminal.slider('Latency')
  await expect.poll(async () => (await countInk(slider, 5, 35)).line).toBeGreaterThan(50)
  expect((await countInk(slider, 65, 95)).line).toBeGreaterThan(50)
  expect((await countInk(slider, 41, 59)).line).toBe(0)
  for (const [from, to] of [
    [41, 49],
    [51, 59],
  ] as const)
    await expect.poll(async () => (await countInk(slider, from, to)).any).toBeGreaterThan(100)
  await expect(page.getByText(/Not observed, our own feed was silent: .*2026.* to .*2026/)).toBeVisible()
  await expect(page.getByText('No values are stored')).toBeVisible()
})

test('a period of which no value is stored is hatched from end to end', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    setSteadySignals(detail)
    Object.assign(detail.terminal_data[0], { signals: [], unobserved: [] })
  })
  await terminal.open(await getOnlineNickname())
  const slider = terminal.slider('Latency')
  for (const from of [1, 90])
    await expect.poll(async () => (await countInk(slider, from, from + 9)).any).toBeGreaterThan(100)
  await expect(terminal.chart('Latency')).toContainText('No data available')
  await expect(page.getByText('No values are stored')).toBeVisible()
})

test('an aggregated point has a band from the lowest to the highest sample', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    setSteadySignals(detail)
    const [data] = detail.terminal_data
    data.bands = mapMeasures((key) => ({
      min: data.signals.map(() => measured[key] / 2),
      max: data.signals.map(() => measured[key] * 2),
    }))
  })
  await terminal.open(await getOnlineNickname())
  const slider = terminal.slider('Latency')
  await expect.poll(async () => (await countInk(slider, 5, 35)).any).toBeGreaterThan(0)
  const [banded, gap] = [await countInk(slider, 65, 83), await countInk(slider, 41, 49)]
  expect(banded.share).toBeGreaterThan(0.4)
  expect(gap.share).toBeLessThan(0.3)
  await expect(page.getByText('Average, and the band from the lowest to the highest sample behind it')).toBeVisible()
  await slider.focus()
  await page.keyboard.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', /: 41\.24 ms \(20\.62 ms to 82\.48 ms\)$/)
})

test('one cursor is shared by all charts, by pointer and by arrow keys', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail(setSteadySignals)
  await terminal.open(await getOnlineNickname())
  const latency = terminal.slider('Latency')
  await expect(latency).toHaveAttribute('aria-valuetext', 'No time chosen')
  await latency.hover({ position: { x: 120, y: 60 } })
  await expect(terminal.chart('Latency')).toContainText(/: 41\.24 ms/)
  await expect(terminal.chart('Obstruction')).toContainText(/: 0\.00%/)
  const box = (await latency.boundingBox()) as { x: number; y: number; width: number }
  const middle = (percent: number) => box.x + 44 + ((box.width - 52) * percent) / 100
  await page.mouse.move(middle(45), box.y + 60)
  await expect(terminal.chart('Latency')).toContainText(/: no data/)
  await page.mouse.move(middle(55), box.y + 60)
  await expect(terminal.chart('Uplink Throughput')).toContainText(/: not observed/)
  await page.mouse.move(10, 10)
  await expect(terminal.chart('Latency')).not.toContainText(/: (no data|not observed)/)

  await latency.focus()
  await page.keyboard.press('End')
  const last = (await latency.getAttribute('aria-valuetext')) as string
  expect(last).toMatch(/: 41\.24 ms$/)
  await page.keyboard.press('ArrowLeft')
  await expect(latency).not.toHaveAttribute('aria-valuetext', last)
  const time = ((await latency.getAttribute('aria-valuetext')) as string).split(': ')[0] as string
  await expect(terminal.slider('Downlink Throughput')).toHaveAttribute('aria-valuetext', `${time}: 12.50 Mbps`)
  await page.keyboard.press('Escape')
  await expect(latency).toHaveAttribute('aria-valuetext', 'No time chosen')
})

test('the same figures are available as a table', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail(setSteadySignals)
  await terminal.open(await getOnlineNickname())
  await page.getByRole('button', { name: 'Show Table' }).click()
  await expect(page).toHaveURL(/view=table/)
  const table = page.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText([
    'Time',
    'Downlink Throughput',
    'Uplink Throughput',
    'Latency',
    'Ping Drop Rate',
    'Signal Quality',
    'Obstruction',
  ])
  const newest = table.getByRole('row').nth(1)
  await expect(newest.getByRole('cell')).toHaveText([
    '12.50 Mbps',
    '512.00 Kbps',
    '41.24 ms',
    '1.23%',
    '97.00%',
    '0.00%',
  ])
  await page.getByRole('button', { name: 'Show Charts' }).click()
  await expect(terminal.chart('Latency')).toBeVisible()
})

test('charts without data say so', async ({ app }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    Object.assign(detail.terminal_data[0], {
      signals: [],
      extremes: mapMeasures(() => ({ min: null, max: null, last: null, lastAt: null })),
      unobserved: [],
    })
  })
  await terminal.open(await getOnlineNickname())
  await expect(terminal.chart('Obstruction')).toContainText('No data available')
  await expect(terminal.chart('Obstruction').locator('dd')).toHaveText(['N/A', 'N/A', 'N/A'])
})
