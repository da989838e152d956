import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figures.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const TARGETS = new Map([
  [10_000, 1_500],
  [100_000, 4_000],
])
const STOP_SECONDS = 10
// Every part of the demo has run once a piece of the history is written. A line each minute says how much of it is.
const HISTORY_LINE = /60 days of history: (?!0\.0%)|charts hold 60 days/
// Ends a hang; the usage of 100,000 terminals alone takes minutes.
const WATCH_AT_MOST_MS = 60 * 60_000
const EVERY_MS = 1_000
// Reading the memory of a large process takes time, of which the demo needs most.
const REST_SHARE = 20

interface Process {
  pid: number
  parent: number
  name: string
}

const readProcess = async (pid: string): Promise<Process | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const found = /^\d+ \((.*)\) \S (\d+)/s.exec(stat)
  return found ? { pid: Number(pid), name: found[1] as string, parent: Number(found[2]) } : undefined
}

/** A process and its descendants, including PostgreSQL. */
const listTree = async (rootPid: number) => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = (await Promise.all(pids.map(readProcess))).filter((each) => each !== undefined)
  const tree: Process[] = processes.filter(({ pid }) => pid === rootPid)
  for (const parent of tree) tree.push(...processes.filter(({ parent: of }) => of === parent.pid))
  return tree
}

/** Proportional set size: memory that processes share is counted once. */
const readPssMb = async (pid: number) => {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1000
}

const measureTree = async (rootPid: number) => {
  const tree = await listTree(rootPid)
  const sizes = await Promise.all(tree.map(({ pid }) => readPssMb(pid)))
  const byName = new Map<string, number>()
  for (const [index, { name }] of tree.entries()) byName.set(name, (byName.get(name) ?? 0) + (sizes[index] as number))
  return { sumMb: sizes.reduce((sum, size) => sum + size, 0), byName }
}

const formatParts = (byName: ReadonlyMap<string, number>) =>
  [...byName]
    .sort(([, one], [, other]) => other - one)
    .map(([name, mb]) => `${name} ${Math.round(mb)}`)
    .join(', ')

/** Starts the demo like `npm start`, and samples its memory until a piece of its history is written. */
const measureDemo = async (terminals: number, environment: NodeJS.ProcessEnv): Promise<Figure[]> => {
  const startedMs = performance.now()
  const env = {
    ...environment,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'dishboard-memory-')),
    PORT: '0',
    DEMO: '1',
    DEMO_TERMINALS: String(terminals),
  }
  const demo = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(demo, 'exit')
  const ended = new AbortController()
  void exit.then(() => ended.abort())
  let readyMs = Number.NaN
  let isWritten = false
  createInterface({ input: demo.stdout }).on('line', (line) => {
    if (line.startsWith('[')) console.log(`  ${line}`)
    if (line.includes('Dishboard is ready')) readyMs = performance.now()
    if (HISTORY_LINE.test(line)) isWritten = true
  })
  let peak = { sumMb: 0, byName: new Map<string, number>() }
  while (!isWritten && !ended.signal.aborted && performance.now() - startedMs < WATCH_AT_MOST_MS) {
    const measuredFromMs = performance.now()
    const now = await measureTree(demo.pid as number)
    if (now.sumMb > peak.sumMb) peak = now
    await pause(Math.max(EVERY_MS, (performance.now() - measuredFromMs) * REST_SHARE))
  }
  if (ended.signal.aborted) throw new Error('The demo ended by itself.')
  console.log(`  at most, in MB: ${formatParts(peak.byName)}`)
  const stoppedMs = performance.now()
  demo.kill('SIGTERM')
  await exit
  const stopSeconds = (performance.now() - stoppedMs) / 1000
  const size = terminals.toLocaleString('en-US')
  return [
    { name: `${size} terminals: demo is ready`, value: (readyMs - startedMs) / 1000, unit: 's' },
    {
      name: `${size} terminals: memory of all processes`,
      value: peak.sumMb,
      unit: 'MB',
      atMost: TARGETS.get(terminals),
    },
    { name: `${size} terminals: history was being written`, value: isWritten ? 1 : 0, unit: '', atLeast: 1 },
    { name: `${size} terminals: stop`, value: stopSeconds, unit: 's', atMost: STOP_SECONDS },
  ]
}

export const measureMemory = async (sizes: readonly number[], environment: NodeJS.ProcessEnv): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const terminals of sizes.length > 0 ? sizes : TARGETS.keys())
    figures.push(...(await measureDemo(terminals, environment)))
  return figures
}
