import { runService, watchForStop } from './child.mjs'
import { prepareInstall, prepareWeb, root } from './prepare.mjs'
import { runMain } from './problem.mjs'
import { say } from './progress.mjs'

const HELP = `npm start            install what is missing, build, and serve
npm start -- --prepare   install and build only`

// Short-lived objects of a large simulated fleet are collected before they take hundreds of megabytes.
const DEMO_FLAGS = ['--max-semi-space-size=16']

const listArguments = ({ DATABASE_URL, DATABASE_URL_FILE, DEMO = DATABASE_URL || DATABASE_URL_FILE ? '0' : '1' }) =>
  DEMO === '0' ? ['server/process/main.ts'] : [...DEMO_FLAGS, 'demo/main.ts']

const main = async () => {
  const flags = process.argv.slice(2)
  if (flags.includes('--help')) {
    console.log(HELP)
    return 0
  }
  const unknown = flags.find((flag) => flag !== '--prepare')
  if (unknown) {
    console.error(`Unknown argument ${unknown}.\n${HELP}`)
    return 2
  }
  watchForStop()
  process.chdir(root)
  const node = await prepareInstall()
  await prepareWeb(node)
  if (flags.includes('--prepare')) {
    say('Ready to start')
    return 0
  }
  const { code } = await runService(node, listArguments(process.env))
  return code
}

runMain(main)
