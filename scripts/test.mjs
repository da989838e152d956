import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { watchForStop } from './child.mjs'
import { root } from './prepare.mjs'
import { Problem, runMain, Stopped } from './problem.mjs'
import { say, seconds } from './progress.mjs'
import { listStages, PARTS } from './test-stages.mjs'

const HELP = `npm test                    checks, and the core of unit tests and browser journeys
npm run test:full           the other tests and journeys, and every proof in its short form
npm test -- --only check|unit|e2e|proof …   one part; what follows goes to its tool`

const CLEAN_WITHIN_MS = 120_000
const NO_TESTS = { passed: 0, failed: [] }

const readArguments = ([flag, only, ...rest]) => {
  if (flag === undefined) return { parts: PARTS.core, project: 'core', rest: [] }
  if (flag === '--full' && only === undefined) return { parts: PARTS.full, project: 'full', rest: [] }
  if (flag === '--only' && [...PARTS.core, ...PARTS.full].includes(only)) return { parts: [only], rest }
  return undefined
}

const runStage = async (stage, missing) => {
  const start = performance.now()
  const result = (outcome, { passed, failed } = stage.report?.() ?? NO_TESTS) => {
    const ms = performance.now() - start
    // A stage can fail without a failed test: a type error, a missing browser, a crash of the tool.
    const isUnexplained = outcome !== 'passed' && failed.length === 0
    return { name: stage.name, outcome, ms, passed, failed: isUnexplained ? [outcome] : failed }
  }
  if (missing) return result('not run', NO_TESTS)
  say(`── ${stage.name}`)
  try {
    await stage.run()
    return result('passed')
  } catch (error) {
    if (error instanceof Stopped) throw error
    console.error(`${stage.name}: ${error instanceof Problem ? error.message : error.stack}`)
    return result('failed')
  }
}

const showSummary = (results) => {
  const row = (cells) =>
    `  ${cells[0].padEnd(10)}${cells[1].padEnd(10)}${cells[2].padStart(9)}${cells[3].padStart(9)}${cells[4].padStart(9)}`
  console.log(`\n${row(['stage', 'result', 'time', 'passed', 'failed'])}`)
  for (const { name, outcome, ms, passed, failed } of results) {
    console.log(row([name, outcome, seconds(ms), String(passed), String(failed.length)]))
  }
  const passed = results.reduce((total, result) => total + result.passed, 0)
  const faults = results.flatMap(({ name, failed }) => failed.map((fault) => `${name}: ${fault}`))
  // Printed last, so that they are visible without scrolling.
  for (const fault of faults) console.log(`\n  ${fault}`)
  console.log(`\n${passed} passed, ${faults.length} failed`)
}

/**
 * Waits for the process that ends what the tests started and removes its files, even when they were stopped.
 */
const waitUntilCleaned = async (dir) => {
  const deadline = performance.now() + CLEAN_WITHIN_MS
  const isInUse = () => readdirSync(dir).some((name) => name.startsWith('dishboard-run-'))
  while (isInUse() && performance.now() < deadline) await pause(50)
}

const main = async () => {
  const wanted = readArguments(process.argv.slice(2))
  if (!wanted) {
    console.error(HELP)
    return 2
  }
  watchForStop()
  process.chdir(root)
  const reportDir = mkdtempSync(join(tmpdir(), 'dishboard-test-'))
  // As root, PostgreSQL may run as another user, who must be able to traverse it.
  chmodSync(reportDir, 0o711)
  try {
    const results = []
    for (const stage of listStages(wanted, reportDir)) {
      const missing = stage.needs.some((need) =>
        results.some(({ name, outcome }) => name === need && outcome !== 'passed'),
      )
      results.push(await runStage(stage, missing))
    }
    showSummary(results)
    return results.every(({ outcome, failed }) => outcome === 'passed' && failed.length === 0) ? 0 : 1
  } finally {
    await waitUntilCleaned(reportDir)
    rmSync(reportDir, { recursive: true, force: true })
  }
}

runMain(main)
