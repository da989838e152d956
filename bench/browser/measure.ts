import type { Browser, Page } from '@playwright/test'
import { type Act, heapMb, type InPage, newPage, panStepMs } from './pages.ts'

export interface Measured {
  usableMs: number
  mapMs: number
  searchMs: number
  filterMs: number
  sortMs: number
  panMs: number
  heapMb: number
}

/** How to press and what to wait for: the same person in front of two builds. */
export interface Build {
  tokens?: { access: string; refresh: string }
  listUrl: string
  tableUrl: string | undefined
  rows: string
  search: string
  offline: string
  map: string
  /** In the page: how many terminals the list shows, how many markers there are, and what stands in the table's first row. */
  shown: string
  markers: string
  openTable: string | undefined
  sort: string
  firstRow: string
}

const limitMs = 120_000

/** From an event in the page to the frame that shows what `probe` was waiting for. */
const timed = (page: Page, act: Act, probe: string, expected: string | undefined) =>
  page.evaluate(
    ({ act, probe, expected, limitMs }) => (globalThis as unknown as InPage).bench.timed(act, probe, expected, limitMs),
    { act, probe, expected, limitMs },
  )

const until = (page: Page, probe: string, expected: string) =>
  page.evaluate(
    ({ probe, expected, limitMs }) => (globalThis as unknown as InPage).bench.until(probe, expected, limitMs),
    { probe, expected, limitMs },
  )

export const measureBuild = async (
  browser: Browser,
  build: Build,
  expected: { all: number; found: number; offline: number; text: string },
): Promise<Measured> => {
  const page = await newPage(browser, build.tokens)
  const startedAt = performance.now()
  await page.goto(build.listUrl, { waitUntil: 'commit' })
  await page.waitForSelector(build.rows)
  const usableMs = performance.now() - startedAt
  await until(page, build.markers, String(expected.all))
  const mapMs = performance.now() - startedAt
  await page.waitForTimeout(1000)
  const panMs = await panStepMs(page, build.map)
  const search = { selector: build.search, text: expected.text }
  const searchMs = await timed(page, search, build.shown, String(expected.found))
  await timed(page, { ...search, text: '' }, build.shown, String(expected.all))
  const filterMs = await timed(page, { selector: build.offline }, build.shown, String(expected.offline))
  await timed(page, { selector: build.offline }, build.shown, String(expected.all))
  const heap = await heapMb(page)
  if (build.tableUrl) await page.goto(build.tableUrl)
  if (build.openTable) await page.click(build.openTable)
  await page.waitForSelector(build.sort)
  await page.waitForSelector('tbody tr:nth-of-type(5)')
  const sortMs = await timed(page, { selector: build.sort }, build.firstRow, undefined)
  await page.context().close()
  return { usableMs, mapMs, searchMs, filterMs, sortMs, panMs, heapMb: heap }
}
