import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const entry = fileURLToPath(new URL('./main.ts', import.meta.url))

let dataDir: string

// Shared: the first run creates the database, and the others reuse it, which takes a fraction of the time.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dishboard-demo-'))
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const readCommand = (pid: string) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** The command line of the database contains its folder; that of the simulator contains the pid of its parent. */
const listLeftovers = (pid: number | undefined) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readCommand)
    .filter((command) => command.includes(dataDir) || command.includes(`--parent-pid\0${pid}\0`))

test.for([
  ['SIGTERM', 'Creating the database'],
  ['SIGTERM', 'starting the simulated fleet'],
  ['SIGINT', 'ready'],
] as const)('%s during "%s" ends the demo and every process it started', async ([signal, phase]) => {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: '1', DEMO_TERMINALS: '4' }
  const demo = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(demo, 'exit')
  for await (const line of createInterface({ input: demo.stdout })) {
    if (line.endsWith(`] ${phase}`)) demo.kill(signal)
  }
  const [code] = await exit
  expect(code).toBe(0)
  expect(listLeftovers(demo.pid)).toEqual([])
})
