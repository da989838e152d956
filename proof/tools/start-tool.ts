import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { onCleanup } from '../cleanup.ts'

/** Starts a third-party server that runs until the proof ends, and returns the path of its output. */
export const startTool = (program: string, args: string[], folder: string) => {
  const path = join(folder, 'output.log')
  const output = openSync(path, 'a')
  // Such programs store data in the home folder.
  const env = { PATH: process.env.PATH, HOME: folder }
  const child = spawn(program, args, { env, stdio: ['ignore', output, output] })
  closeSync(output)
  onCleanup(async () => {
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  })
  return path
}
