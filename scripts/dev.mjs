import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isStopping, runChild, runService, watchForStop } from './child.mjs'
import { prepareInstall, root } from './prepare.mjs'
import { runMain } from './problem.mjs'
import { say } from './progress.mjs'

// The pages of the demo are served by Vite, everything else by the server behind it.
const PORT = Number(process.env.PORT ?? 8080)
const SERVER_PORT = PORT + 1
const SERVER_FOLDERS = ['contract', 'demo', 'server', 'simulator', 'starlink']
const IGNORED = /\.test\.ts$|(^|\/)testing\//
// Debounces an editor that writes a file in several steps.
const SETTLED_AFTER_MS = 200

/** Calls back once per group of changes to the server's sources. */
const watchSources = (onChange) => {
  let timer
  for (const folder of SERVER_FOLDERS) {
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file || IGNORED.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => onChange(`${folder}/${file}`), SETTLED_AFTER_MS)
    })
  }
}

/** The server prints its own address; developers use the address of the pages instead. */
const showOutput = ({ stdout, stderr }) => {
  const replaceAddress = (text) => text.replaceAll(`localhost:${SERVER_PORT}`, `localhost:${PORT}`)
  stdout.on('data', (text) => process.stdout.write(replaceAddress(text)))
  stderr.on('data', (text) => process.stderr.write(text))
}

const serve = async (node) => {
  const env = { ...process.env, PORT: String(SERVER_PORT) }
  let server
  let isChanged = false
  watchSources((file) => {
    say(`${file} changed: restarting the server`)
    isChanged = true
    server?.kill('SIGTERM')
  })
  const onStart = (child) => {
    server = child
    showOutput(child)
  }
  while (!isStopping()) {
    isChanged = false
    await runService(node, ['demo/main.ts'], env, { quiet: true, onStart })
    server = undefined
    if (!isChanged && !isStopping()) say('The server has stopped. A change to its sources starts it again')
    while (!isChanged && !isStopping()) await pause(100)
  }
}

const servePages = async (node) => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'web', '--port', String(PORT), '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn']
  await runChild(node, args, { env: { ...process.env, API_URL: `http://127.0.0.1:${SERVER_PORT}` } })
  // The server is of no use without its pages.
  process.kill(process.pid, 'SIGTERM')
}

/** The demo for developers: a changed page is replaced in the browser, a changed server is restarted. */
const main = async () => {
  watchForStop()
  process.chdir(root)
  const node = await prepareInstall()
  await Promise.allSettled([serve(node), servePages(node)])
  return 0
}

runMain(main)
