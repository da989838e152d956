import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { runChild } from './child.mjs'
import { npmCommand } from './install.mjs'
import { prepareInstall, prepareWeb, root } from './prepare.mjs'
import { Problem } from './problem.mjs'
import { ensurePromtool } from './promtool.mjs'
import { ensureProofTools } from './proof-tools.mjs'
import { readPlaywright, readProofs, readVitest } from './reports.mjs'

/** The parts of each run: the quick one, and the one that does everything else. */
export const PARTS = { core: ['check', 'unit', 'e2e'], full: ['unit', 'e2e', 'proof'] }

const ALL_PARTS = [...new Set(Object.values(PARTS).flat())]

const mustPass = async (command, args, env) => {
  const { code } = await runChild(command, args, { env })
  if (code !== 0) throw new Problem(`ended with code ${code}`)
}

/** The stages of a test run in order. `needs` names the stages that it depends on. */
export const listStages = ({ parts, project, rest }, reportDir) => {
  let node
  let browser
  let promtool
  // Temporary files of the tests are in the same folder as their reports.
  const env = {
    ...process.env,
    TMPDIR: reportDir,
    // Tests start hundreds of processes from the same sources.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
    PWTEST_CACHE_DIR: join(root, 'node_modules/.cache/playwright'),
    ...(process.env.CI ? { NO_COLOR: '1' } : {}),
  }
  const reports = { unit: join(reportDir, 'unit.json'), e2e: join(reportDir, 'e2e.json') }
  const only = project ? [`--project=${project}`] : []
  const tool = (path) => join(root, 'node_modules', path)

  const install = async () => {
    node = await prepareInstall()
  }
  const findBrowser = async () => {
    browser = await ensureBrowser(root, node)
  }
  const findPromtool = async () => {
    promtool = await ensurePromtool()
  }
  const check = () => {
    const [command, ...first] = npmCommand()
    return mustPass(command, [...first, 'run', '--silent', 'check', '--', ...rest], env)
  }
  const unit = () => {
    const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.unit}`]
    return mustPass(node, [tool('vitest/vitest.mjs'), 'run', ...report, ...only, ...rest], env)
  }
  const e2e = () =>
    mustPass(node, [tool('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...only, ...rest], {
      ...env,
      CHROMIUM_PATH: browser,
      PLAYWRIGHT_JSON_OUTPUT_FILE: reports.e2e,
    })
  const proof = () =>
    mustPass(node, [join(root, 'proof/main.ts'), ...(rest.length > 0 ? rest : ['all']), '--short'], {
      ...env,
      CHROMIUM_PATH: browser,
      PROMTOOL_PATH: promtool,
    })

  const stages = [
    { name: 'install', parts: ALL_PARTS, needs: [], run: install },
    { name: 'browser', parts: ['e2e', 'proof'], needs: ['install'], run: findBrowser },
    { name: 'promtool', parts: ['proof'], needs: ['install'], run: findPromtool },
    { name: 'tools', parts: ['proof'], needs: ['promtool'], run: ensureProofTools },
    { name: 'check', parts: ['check'], needs: ['install'], run: check },
    { name: 'unit', parts: ['unit'], needs: ['install'], run: unit, report: () => readVitest(reports.unit) },
    { name: 'build', parts: ['e2e', 'proof'], needs: ['install'], run: () => prepareWeb(node) },
    { name: 'e2e', parts: ['e2e'], needs: ['browser', 'build'], run: e2e, report: () => readPlaywright(reports.e2e) },
    {
      name: 'proof',
      parts: ['proof'],
      needs: ['browser', 'promtool', 'tools', 'build'],
      run: proof,
      report: () => readProofs(join(root, '.proof')),
    },
  ]
  return stages.filter((stage) => stage.parts.some((part) => parts.includes(part)))
}
