import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withDatabase } from '../database.ts'
import type { Bench, Figure } from '../figures.ts'
import { type FleetStack, openFleetStack } from '../fleet-stack.ts'
import { baselineAt, buildOurs } from './builds.ts'
import { measureTransfer } from './bytes.ts'
import { measureLive } from './live.ts'
import { atLeastMs, type Measured, measureBuild, type Outcome } from './measure.ts'
import { launch } from './pages.ts'
import { serveBaseline } from './serve-baseline.ts'

const SIZES = [1_000, 10_000, 100_000]

/** The name of each step, and how many times faster than the literal build it should be at 10,000 terminals. */
const steps: [step: keyof Measured, name: string, timesFaster?: number][] = [
  ['usableMs', 'first usable dashboard'],
  ['shownMs', 'map drawn, since navigation'],
  ['mapMs', 'first draw of the map, since the list arrived', 4],
  ['searchMs', 'key press to painted result', 10],
  ['slowestSearchMs', 'slowest key press'],
  ['paletteMs', 'key press in the command palette to painted result'],
  ['slowestPaletteMs', 'slowest key press in the command palette'],
  ['filterMs', 'filter click to painted list', 10],
  ['sortMs', 'sort', 10],
  ['panMs', 'pan step', 4],
]

const limitsAt100k: Partial<Record<keyof Measured, number>> = {
  searchMs: 100,
  slowestSearchMs: 100,
  paletteMs: 50,
  slowestPaletteMs: 50,
  panMs: 300,
}

const measureFigures = (count: number, ours: Outcome, baseline: Outcome): Figure[] => {
  const named = (name: string) => `${count.toLocaleString('en-US')}: ${name}`
  const figures: Figure[] = []
  for (const [step, name, timesFaster] of steps) {
    const value = ours.measured[step]
    if (value === undefined) continue
    const atMost = count === 100_000 ? limitsAt100k[step] : undefined
    figures.push({ name: named(name), value, unit: 'ms', ...(atMost && { atMost }) })
    const literal = atLeastMs(baseline, step)
    if (literal === undefined) continue
    const more = baseline.failed?.step === step ? ' or more' : ''
    const atLeast = count === 10_000 ? timesFaster : undefined
    figures.push({ name: named(`${name}, literal build`), value: literal, unit: `ms${more}` })
    figures.push({
      name: named(`${name}, ratio`),
      value: literal / value,
      unit: `times${more}`,
      ...(atLeast && { atLeast }),
    })
  }
  const { memoryMb } = ours.measured
  if (memoryMb !== undefined) figures.push({ name: named('memory of the page'), value: memoryMb, unit: 'MB' })
  if (baseline.measured.memoryMb !== undefined)
    figures.push({ name: named('memory, literal build'), value: baseline.measured.memoryMb, unit: 'MB' })
  return figures
}

const measureSize = async (stack: FleetStack, count: number): Promise<Figure[]> => {
  const tenant = `fleet${count}`
  await stack.addFleet(tenant, count)
  const tokens = await stack.signIn(tenant)
  // Loads the snapshot first, because this bench does not measure one-time work of the server.
  await stack.fleet.snapshot(tenant)
  const build = buildOurs(stack.url, tenant, tokens)
  const ours = await measureBuild(build, count)
  if (ours.failed) throw new Error(`Our own page failed at '${ours.failed.step}': ${ours.failed.why}.`)
  const baselineServer = await serveBaseline(stack.url, tenant, tokens.access)
  const baseline = await measureBuild(baselineAt(baselineServer.url), count)
  await baselineServer.close()
  const { failed } = baseline
  if (failed) console.log(`The literal build failed at ${count} terminals, step '${failed.step}': ${failed.why}.`)
  const browser = await launch()
  const liveMs = await measureLive(browser, stack, tenant, build).finally(() => browser.close())
  const live = { name: `${count.toLocaleString('en-US')}: from a change until an open page shows it`, unit: 'ms' }
  return [...measureFigures(count, ours, baseline), { ...live, value: liveMs, atMost: 2000 }]
}

/** Compares the dashboard and the table with a literal build of the product, each in its own browser. */
export const measureBrowser: Bench = async (sizes) => {
  if (!existsSync(fileURLToPath(new URL('../../dist/web/index.html', import.meta.url))))
    throw new Error('The pages have not been built. Run `npm start` or `npm test` once.')
  return withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    try {
      const figures = sizes.length > 0 ? [] : await measureTransfer(stack)
      for (const size of sizes.length > 0 ? sizes : SIZES) figures.push(...(await measureSize(stack, size)))
      return figures
    } finally {
      await stack.close()
    }
  })
}
