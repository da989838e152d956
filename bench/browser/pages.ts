import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { launchOptions } from '#e2e/browser.ts'

export const launch = () => chromium.launch({ ...launchOptions, timeout: 120_000 })

/** See in-page.js. */
export interface InPage {
  bench: {
    frame: () => Promise<void>
    until: (probe: string, expected: string, limitMs: number) => Promise<void>
    timed: (act: Act, probe: string, expected: string | undefined, limitMs: number) => Promise<number>
  }
}

/** A press, or with `text` what is typed. */
export interface Act {
  selector: string
  text?: string
}

export const newPage = async (browser: Browser, tokens?: { access: string; refresh: string }): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
  const page = await context.newPage()
  page.setDefaultTimeout(180_000)
  await page.addInitScript({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) })
  if (tokens)
    await page.addInitScript(
      `localStorage.setItem('access', '${tokens.access}'); localStorage.setItem('refresh', '${tokens.refresh}')`,
    )
  return page
}

/** Milliseconds for each step of a drag over the map, until its frame is there. */
export const panStepMs = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error('There is no map to move.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const steps: number[] = []
  for (let step = 1; step <= 6; step++) {
    const startedAt = performance.now()
    await page.mouse.move(x + step * 25, y + step * 10)
    await page.evaluate(() => (globalThis as unknown as InPage).bench.frame())
    steps.push(performance.now() - startedAt)
  }
  await page.mouse.up()
  return steps.toSorted((a, b) => a - b)[3] as number
}

export const heapMb = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1e6
}
