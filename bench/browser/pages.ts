import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { launchOptions } from '#e2e/browser.ts'
import { findMedian } from '../median.ts'

/** See in-page.js. */
export interface InPage {
  bench: {
    painted: () => Promise<void>
    until: (probe: string, expected: string) => Promise<number>
    arrivedAt: (path: string) => number
    timed: (act: Act, probe: string) => Promise<number>
  }
}

/** A click, or typing if `text` is set. */
export interface Act {
  selector: string
  text?: string
}

/** A step that takes longer is aborted. */
export const stepLimitMs = 60_000

export class GivenUp extends Error {}

export const withinLimit = <T>(step: Promise<T>): Promise<T> => {
  const over = new AbortController()
  const limit = pause(stepLimitMs, undefined, { signal: over.signal }).then(() => {
    throw new GivenUp(`it took more than ${stepLimitMs / 1000} s`)
  })
  // Errors of an aborted step are ignored.
  step.catch(() => {})
  return Promise.race([step, limit]).finally(() => {
    limit.catch(() => {})
    over.abort()
  })
}

export const launch = () => chromium.launch({ ...launchOptions, timeout: 120_000 })

export const newPage = async (
  browser: Browser,
  tokens?: { access: string; refresh: string },
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(4 * stepLimitMs)
  await page.addInitScript({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) })
  if (tokens)
    await page.addInitScript(
      `localStorage.setItem('access', '${tokens.access}'); localStorage.setItem('refresh', '${tokens.refresh}')`,
    )
  return page
}

/** Milliseconds from an event in the page to the frame in which the probe's value has changed. */
export const timed = (page: Page, act: Act, probe: string) =>
  page.evaluate(({ act, probe }) => (globalThis as unknown as InPage).bench.timed(act, probe), { act, probe })

/** When the page shows the expected value, in milliseconds since navigation. */
export const until = (page: Page, probe: string, expected: string) =>
  page.evaluate(({ probe, expected }) => (globalThis as unknown as InPage).bench.until(probe, expected), {
    probe,
    expected,
  })

/** When the response arrived, in milliseconds since navigation. */
export const arrivedAt = (page: Page, path: string) =>
  page.evaluate((path) => (globalThis as unknown as InPage).bench.arrivedAt(path), path)

/** The median time from a step of a drag over the map to its frame. */
export const panStepMs = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error('There is no map to move.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const steps: number[] = []
  for (let step = 1; step <= 7; step++) {
    const startedAt = performance.now()
    await page.mouse.move(x + step * 25, y + step * 10)
    await page.evaluate(() => (globalThis as unknown as InPage).bench.painted())
    steps.push(performance.now() - startedAt)
  }
  await page.mouse.up()
  // The map keeps moving for a while after the mouse button is released.
  await page.waitForTimeout(1500)
  return findMedian(steps)
}

/** The memory of the renderer processes, which includes DOM nodes as well as objects. */
export const memoryMb = async (browser: Browser, page: Page) => {
  const pageSession = await page.context().newCDPSession(page)
  await pageSession.send('HeapProfiler.collectGarbage')
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const sizes = await Promise.all(
    renderers.map(async ({ id }) => {
      const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8')
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
