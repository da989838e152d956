import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WANTED_MAJOR } from './install.mjs'

// Loaded before programs that need the packages but do not install them: without this, they end with a stack trace.
const root = resolve(fileURLToPath(import.meta.url), '../..')

const explainMissing = () => {
  if (!existsSync(join(root, 'node_modules')))
    return 'The packages are not installed. Run npm start -- --prepare first.'
  if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) return undefined
  return `This needs Node ${WANTED_MAJOR} or newer, and runs on ${process.versions.node}. Run npm start -- --prepare, which installs it, and use npm to run this.`
}

const problem = explainMissing()
if (problem) {
  console.error(problem)
  process.exit(1)
}
