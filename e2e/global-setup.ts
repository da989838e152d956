import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openRunFolder } from '#server/testing/run-folder.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Starts the test stack once for all tests and stops it afterwards. */
export default async function setup() {
  if (!existsSync(path('../dist/web/index.html'))) {
    throw new Error('The web app has not been built. Run `npm test`, or `npx vite build web` first.')
  }
  const runFolder = openRunFolder()
  const child = spawn(process.execPath, [path('serve-stack.ts')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const { url, simulatorUrl, tilesUrl } = JSON.parse(await firstLine(child))
  process.env.DISHBOARD_URL = url
  process.env.SIMULATOR_URL = simulatorUrl
  process.env.TILES_URL = tilesUrl
  return async () => {
    const ended = once(child, 'exit')
    child.stdin?.end()
    await ended
    await runFolder.close()
  }
}

async function firstLine(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])])
  if (line === undefined) throw new Error('The test stack did not start; see its output above.')
  return line as string
}
