import { runService, watchForStop } from './child.mjs'
import { prepareInstall, prepareWeb, root } from './prepare.mjs'
import { runMain } from './problem.mjs'
import { say } from './progress.mjs'

const HELP = `npm start            install what is missing, build, and serve
npm start -- --prepare   install and build only`

// Limits the heap, so that garbage of a large simulated fleet is collected before it fills the machine's memory.
const listDemoFlags = (terminals) => [
  '--max-semi-space-size=16',
  `--max-old-space-size=${Math.max(512, 350 + Math.ceil(terminals / 40))}`,
]

const listArguments = ({ DATABASE_URL, DATABASE_URL_FILE, DEMO, DEMO_TERMINALS }) => {
  const isDemo = DEMO ? DEMO !== '0' : !DATABASE_URL && !DATABASE_URL_FILE
  return isDemo ? [...listDemoFlags(Number(DEMO_TERMINALS) || 0), 'demo/main.ts'] : ['server/process/main.ts']
}

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
