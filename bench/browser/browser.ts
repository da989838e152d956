import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { withDatabase } from '../database.ts'
import type { Figure } from '../figures.ts'
import { type FleetHouse, openFleetHouse } from '../fleet-house.ts'
import { measureBytes } from './bytes.ts'
import { type Build, type Measured, measureBuild } from './measure.ts'
import { launch } from './pages.ts'
import { serveBaseline } from './serve-baseline.ts'

const SIZES = [1_000, 10_000, 100_000]
const TEXT = 'school 77'

const oursAt = (url: string, tenant: string, tokens: { access: string; refresh: string }): Build => ({
  tokens,
  listUrl: `${url}/dashboard?tenant=${tenant}`,
  tableUrl: `${url}/terminaltable?tenant=${tenant}`,
  rows: 'ul[aria-label="Terminals"] a',
  search: 'input[type=search]',
  offline: 'fieldset button:nth-of-type(2)',
  map: '[role=application]',
  shown: `document.querySelector('ul[aria-label="Terminals"] li[aria-setsize]')?.getAttribute('aria-setsize')`,
  markers: `document.querySelector('canvas.map-markers') && document.querySelector('[role=application]').dataset.markers`,
  openTable: undefined,
  sort: 'thead th:nth-child(16) button',
  firstRow: `document.querySelector('tbody tr[data-opens] th')?.textContent`,
})

const baselineAt = (url: string): Build => ({
  listUrl: url,
  tableUrl: undefined,
  rows: '#list li',
  search: '#search',
  offline: '#offline',
  map: '#map',
  shown: 'document.body.dataset.shown',
  markers: `document.querySelectorAll('.leaflet-marker-icon').length`,
  openTable: '#table',
  sort: 'button[data-key=latency]',
  firstRow: `document.querySelector('tbody td')?.textContent`,
})

const expectedOf = async (house: FleetHouse, tenant: string, access: string) => {
  const headers = { authorization: `Bearer ${access}`, 'x-tenant': tenant }
  const response = await fetch(`${house.url}/api/terminals/`, { headers })
  const { data } = (await response.json()) as { data: { customname: string; status: string; alerts: string }[] }
  return {
    all: data.length,
    text: TEXT,
    found: data.filter(({ customname }) => customname.toLowerCase().includes(TEXT)).length,
    offline: data.filter(({ status, alerts }) => status === 'offline' && !alerts.includes('disabled')).length,
  }
}

const steps = {
  usableMs: ['first usable dashboard', undefined],
  mapMs: ['first draw of the map', 4],
  searchMs: ['key press to painted result', 10],
  filterMs: ['filter click to painted list', 10],
  sortMs: ['sort', 10],
  panMs: ['pan step', 4],
} as const satisfies Partial<Record<keyof Measured, readonly [string, number | undefined]>>

const limitsAt100k: Partial<Record<keyof typeof steps, number>> = { searchMs: 100, panMs: 300 }

const figuresOf = (count: number, ours: Measured, baseline: Measured | undefined): Figure[] => {
  const figures: Figure[] = []
  for (const [key, [name, times]] of Object.entries(steps) as [
    keyof typeof steps,
    (typeof steps)[keyof typeof steps],
  ][]) {
    const label = `${count.toLocaleString('en-US')}: ${name}`
    const atMost = count === 100_000 ? limitsAt100k[key] : undefined
    figures.push({ name: label, value: ours[key], unit: 'ms', ...(atMost && { atMost }) })
    if (!baseline) continue
    figures.push({ name: `${label}, literal build`, value: baseline[key], unit: 'ms' })
    const atLeast = count === 10_000 ? times : undefined
    figures.push({
      name: `${label}, times faster`,
      value: baseline[key] / ours[key],
      unit: 'times',
      ...(atLeast && { atLeast }),
    })
  }
  figures.push({ name: `${count.toLocaleString('en-US')}: memory of the page`, value: ours.heapMb, unit: 'MB' })
  if (baseline)
    figures.push({
      name: `${count.toLocaleString('en-US')}: memory, literal build`,
      value: baseline.heapMb,
      unit: 'MB',
    })
  return figures
}

const measureSize = async (browser: Browser, house: FleetHouse, count: number) => {
  const tenant = `fleet${count}`
  await house.addFleet(tenant, count)
  const tokens = await house.signIn(tenant)
  const expected = await expectedOf(house, tenant, tokens.access)
  const ours = await measureBuild(browser, oursAt(house.url, tenant, tokens), expected)
  const baselineServer = await serveBaseline(house.url, tenant, tokens.access)
  try {
    const baseline = await measureBuild(browser, baselineAt(baselineServer.url), expected).catch((error: Error) => {
      console.log(`The literal build does not manage ${count} terminals: ${error.message.split('\n')[0]}`)
      return undefined
    })
    return figuresOf(count, ours, baseline)
  } finally {
    await baselineServer.close()
  }
}

const bytesFigures = async (browser: Browser, house: FleetHouse): Promise<Figure[]> => {
  await house.addFleet('fleet2000', 2_000)
  const tokens = await house.signIn('fleet2000')
  const { coldBytes, refreshBytes } = await measureBytes(browser, `${house.url}/dashboard?tenant=fleet2000`, tokens)
  return [
    { name: 'cold /dashboard with 2,000 terminals', value: coldBytes / 1024, unit: 'KiB', atMost: 350 },
    { name: 'the list asked for again, unchanged', value: refreshBytes, unit: 'bytes', atMost: 1024 },
  ]
}

/** The dashboard and the table against a literal build of the product, in one browser. */
export const browserFigures = async (): Promise<Figure[]> => {
  if (!existsSync(fileURLToPath(new URL('../../dist/web/index.html', import.meta.url))))
    throw new Error('The pages have not been built. Run `npm start` or `npm test` once.')
  return withDatabase(async (connections) => {
    const house = await openFleetHouse(connections)
    const browser = await launch()
    try {
      const figures = await bytesFigures(browser, house)
      for (const size of SIZES) figures.push(...(await measureSize(browser, house, size)))
      return figures
    } finally {
      await browser.close()
      await house.close()
    }
  })
}
