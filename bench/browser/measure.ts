import type { Browser, Page } from '@playwright/test'
import { findMedian } from '../median.ts'
import type { Build } from './builds.ts'
import {
  arrivedAt,
  GivenUp,
  launch,
  memoryMb,
  newPage,
  panStepMs,
  stepLimitMs,
  timed,
  until,
  withinLimit,
} from './pages.ts'

/** The steps, in the order in which they are measured. */
export interface Measured {
  usableMs: number
  shownMs: number
  mapMs: number
  panMs: number
  searchMs: number
  slowestSearchMs: number
  paletteMs: number
  slowestPaletteMs: number
  filterMs: number
  memoryMb: number
  sortMs: number
}

export interface Outcome {
  measured: Partial<Measured>
  /** The step at which the build failed, and why. */
  failed: { step: keyof Measured; why: string } | undefined
}

// A user types part of a number: the first key matches most of the fleet, the last key a few lines.
const TYPED = ['7', '77', '777']

type Step = [keyof Measured, () => Promise<number>]

const measureSteps = (browser: Browser, page: Page, build: Build, count: number) => {
  const startedAt = performance.now()
  const sinceStart = async (step: Promise<unknown>) => {
    await step
    return performance.now() - startedAt
  }
  let shownMs = 0
  const presses: number[] = []
  const type = async () => {
    for (const text of TYPED) presses.push(await timed(page, { selector: build.search, text }, build.shown))
    await timed(page, { selector: build.search, text: '' }, build.shown)
    return findMedian(presses)
  }
  const palettePresses: number[] = []
  const typeInPalette = async ({ keys, search, found }: NonNullable<Build['palette']>) => {
    await page.keyboard.press(keys)
    await page.waitForSelector(search)
    // The first key builds the index of the fleet, which lasts for the session.
    for (const text of ['nome', ...TYPED]) palettePresses.push(await timed(page, { selector: search, text }, found))
    await page.keyboard.press('Escape')
    await page.waitForSelector(search, { state: 'detached' })
    return findMedian(palettePresses)
  }
  const filter = async () => {
    const ms = await timed(page, { selector: build.offline }, build.shown)
    await timed(page, { selector: build.offline }, build.shown)
    return ms
  }
  const sort = async () => {
    if (build.tableUrl) await page.goto(build.tableUrl)
    if (build.openTable) await page.click(build.openTable)
    await page.waitForSelector(build.sort)
    await page.waitForSelector('tbody tr:nth-of-type(5)')
    return timed(page, { selector: build.sort }, build.firstRow)
  }
  const { palette } = build
  const steps: Step[] = [
    [
      'usableMs',
      () => sinceStart(page.goto(build.listUrl, { waitUntil: 'commit' }).then(() => page.waitForSelector(build.rows))),
    ],
    [
      'shownMs',
      async () => {
        shownMs = await until(page, build.markers, String(count))
        return shownMs
      },
    ],
    ['mapMs', async () => shownMs - (await arrivedAt(page, build.listPath))],
    ['panMs', () => page.waitForTimeout(1000).then(() => panStepMs(page, build.map))],
    ['searchMs', type],
    ['slowestSearchMs', async () => Math.max(...presses)],
    ...(palette
      ? ([
          ['paletteMs', () => typeInPalette(palette)],
          ['slowestPaletteMs', async () => Math.max(...palettePresses)],
        ] satisfies Step[])
      : []),
    ['filterMs', filter],
    ['memoryMb', () => memoryMb(browser, page)],
    ['sortMs', sort],
  ]
  return steps
}

/** Uses its own browser, so that a build that crashes it affects no other measurement. */
export const measureBuild = async (build: Build, count: number): Promise<Outcome> => {
  const browser = await launch()
  const measured: Partial<Measured> = {}
  try {
    const page = await newPage(browser, build.tokens)
    const crash = new Promise<never>((_, reject) => page.on('crash', () => reject(new GivenUp('the page crashed'))))
    crash.catch(() => {})
    for (const [step, measure] of measureSteps(browser, page, build, count)) {
      try {
        measured[step] = await Promise.race([withinLimit(measure()), crash])
      } catch (error) {
        return { measured, failed: { step, why: (error as Error).message.split('\n')[0] as string } }
      }
    }
    return { measured, failed: undefined }
  } finally {
    await browser.close()
  }
}

/** The measured time of a step, or the time limit if the step was aborted. */
export const atLeastMs = ({ measured, failed }: Outcome, step: keyof Measured) =>
  measured[step] ?? (failed?.step === step ? stepLimitMs : undefined)
