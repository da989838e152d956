import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'vitest'
import { isAlive } from '../platform/postgres/processes.ts'

const resolve = (path: string) => JSON.stringify(import.meta.resolve(path))

// Simulates a test run: its own database, and a child that no signal to its group reaches.
const RUN = `
  import { spawn } from 'node:child_process'
  import { openRunFolder } from ${resolve('./run-folder.ts')}
  import { startPostgres } from ${resolve('../platform/postgres/start-postgres.ts')}
  const { folder, close } = openRunFolder()
  const { stop } = await startPostgres({ dataDir: folder + '/postgres', settings: { fsync: 'off' } })
  const lasting = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  process.on('message', async () => { lasting.kill(); await stop(); await close(); process.exit(0) })
  console.log(folder, lasting.pid)`

const startRun = async () => {
  const run = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [line] = await once(createInterface({ input: run.stdout as NodeJS.ReadableStream }), 'line')
  const [folder, lastingPid] = line.split(' ')
  return { run, folder: folder as string, lastingPid: Number(lastingPid) }
}

const listCommands = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
      } catch {
        return []
      }
    })

const end: Record<string, (run: ChildProcess) => unknown> = {
  'that ends by itself': (run) => run.send('end'),
  ...Object.fromEntries(
    (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map((signal) => [
      `ended by ${signal}`,
      (run: ChildProcess) => run.kill(signal),
    ]),
  ),
}

test.concurrent.for(Object.keys(end))('a run %s leaves no process and no folder behind', async (how, { expect }) => {
  const { run, folder, lastingPid } = await startRun()
  expect(listCommands().some((command) => command.includes(`${folder}/`))).toBe(true)
  end[how]?.(run)
  await expect.poll(() => existsSync(folder)).toBe(false)
  expect(listCommands().filter((command) => command.includes(`${folder}/`))).toEqual([])
  expect(isAlive(lastingPid)).toBe(false)
})

// Has an orphan, and a child that it ends itself once the orphan is gone.
const CLOSING_RUN = `
  import { spawn } from 'node:child_process'
  import { once } from 'node:events'
  import { openRunFolder } from ${resolve('./run-folder.ts')}
  import { isAlive, waitUntil } from ${resolve('../platform/postgres/processes.ts')}
  const { close } = openRunFolder()
  const shell = spawn('sh', ['-c', 'sleep 1000 >/dev/null & echo $!'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const orphan = Number(String((await once(shell.stdout, 'data'))[0]))
  const own = spawn(process.execPath, ['-e', 'process.stdin.resume().once("close", () => process.exit(0))'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(own, 'exit')
  const closed = close()
  await waitUntil(() => !isAlive(orphan), 60_000, 50)
  own.stdin.end()
  const [code] = await ended
  await closed
  console.log(isAlive(orphan), code)`

test('a run that is over ends what nobody else ends, and leaves its own children to itself', async ({ expect }) => {
  const run = spawn(process.execPath, ['--input-type=module', '-e', CLOSING_RUN], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: run.stdout as NodeJS.ReadableStream }), 'line')
  expect(line).toBe('false 0')
})
