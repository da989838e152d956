import { ensureBrowser } from './browser.mjs'
import { runService, watchForStop } from './child.mjs'
import { prepareInstall, prepareWeb, root } from './prepare.mjs'
import { runMain } from './problem.mjs'

/** Runs a program of ours with all it may ask for: packages, a browser, and the pages of the present sources. */
const main = async () => {
  watchForStop()
  process.chdir(root)
  const node = await prepareInstall()
  await prepareWeb(node)
  const env = { ...process.env, CHROMIUM_PATH: await ensureBrowser(root, node) }
  const { code } = await runService(node, process.argv.slice(2), env)
  return code
}

runMain(main)
