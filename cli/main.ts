import { enableCompileCache } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

// Halves the startup time. The cache is not in the shared temporary folder, where other users could plant code.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/dishboard', import.meta.url)))
const { dispatch } = await import('./dispatch.ts')

// `| head` closes the pipe after its lines. A command that changes something still ends it.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await dispatch(process.argv.slice(2), {
  environment: process.env,
  print: console.log,
  printError: console.error,
  readInput: (what) => {
    if (process.stdin.isTTY) process.stderr.write(`${what}, then Ctrl-D: `)
    return text(process.stdin)
  },
})
