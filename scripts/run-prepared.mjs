import { ensureBrowser } from './browser.mjs'
import { runService, watchForStop } from './child.mjs'
import { prepareInstall, prepareWeb, root } from './prepare.mjs'
import { runMain } from './problem.mjs'
import { ensurePromtool } from './promtool.mjs'
import { ensureProofTools } from './proof-tools.mjs'

// Without a name, the proofs are only listed.
const isHelp = ([program, ...names]) => names.includes('--help') || (program === 'proof/main.ts' && names.length === 0)

/** Runs one of our programs after preparing what it may need: packages, a browser, and the built pages. */
const main = async () => {
  watchForStop()
  process.chdir(root)
  const node = await prepareInstall()
  if (isHelp(process.argv.slice(2))) return (await runService(node, process.argv.slice(2), process.env)).code
  await prepareWeb(node)
  if (process.argv[2]?.startsWith('proof/')) await ensureProofTools()
  const env = { ...process.env, CHROMIUM_PATH: await ensureBrowser(root, node) }
  const [, ...names] = process.argv.slice(2)
  if (names.includes('alerts') || names.includes('all')) env.PROMTOOL_PATH = await ensurePromtool()
  const { code } = await runService(node, process.argv.slice(2), env)
  return code
}

runMain(main)
