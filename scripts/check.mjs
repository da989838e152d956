import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { checkDocuments } from './check-documents.mjs'
import { checkFormat } from './check-format.mjs'
import { checkImports } from './check-imports.mjs'
import { checkSettings } from './check-settings.mjs'
import { checkTraces } from './check-traces.mjs'
import { checkWords } from './check-words.mjs'
import { root } from './prepare.mjs'
import { runMain } from './problem.mjs'
import { seconds } from './progress.mjs'

/** A program of node_modules; its output on failure is the fault. */
const tool = (path, ...args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve([error.message]))
    child.on('close', (code) => resolve(code === 0 ? [] : [output.trim() || `ended with code ${code}`]))
  })

// Caches of the last run: a second run takes a third of the time.
const CACHE = 'node_modules/.cache'

const checkTypes = (project) => {
  const buildInfo = `${CACHE}/tsc/${project === '.' ? 'root' : project}.json`
  return tool('typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo, '-p', project)
}

const CHECKS = {
  types: () => checkTypes('.'),
  'types of the web': () => checkTypes('web'),
  'types of the worker': () => checkTypes('web/worker'),
  'types of e2e': () => checkTypes('e2e'),
  'lint and format': () => tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off', '.'),
  'dead code': () => tool('knip/bin/knip.js', '--no-progress', '--cache', '--cache-location', `${CACHE}/knip`),
  'one format': () => checkFormat(root),
  imports: () => checkImports(root),
  documents: () => checkDocuments(root),
  settings: () => checkSettings(root),
  traces: () => checkTraces(root),
  words: () => checkWords(root),
}

const runCheck = async (name, check) => {
  const start = performance.now()
  const faults = await check().catch((error) => [error.stack])
  const time = seconds(performance.now() - start).padStart(7)
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(18)}${time}`)
  for (const fault of faults) console.log(fault.replace(/^/gm, '     '))
  return faults.length === 0
}

const main = async () => {
  const unknown = process.argv.slice(2).find((name) => !(name in CHECKS))
  if (unknown) {
    console.error(`There is no check '${unknown}'. npm run check [-- NAME …], of: ${Object.keys(CHECKS).join(', ')}`)
    return 2
  }
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CHECKS)
  const passed = await Promise.all(wanted.map((name) => runCheck(name, CHECKS[name])))
  return passed.every(Boolean) ? 0 : 1
}

runMain(main)
