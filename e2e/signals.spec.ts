import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Process {
  pid: number
  command: string
}

/** The processes whose temporary files go to a folder: all descendants of a command, even detached ones. */
const listProcesses = (folder: string): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        const isIts = command.includes(folder) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder)
        return isIts && command !== '' ? [{ pid: Number(pid), command }] : []
      } catch {
        return []
      }
    })

/** The environment of a terminal, without the variables of the surrounding test run. */
const buildEnvironment = (folder: string) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PLAYWRIGHT|PW|TEST_|VITEST|npm_)/.test(name)),
  ),
  NODE_DISABLE_COMPILE_CACHE: '1',
  TMPDIR: folder,
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  DEMO_TERMINALS: '4',
})

const commands: Record<string, (dataDir: string) => string[]> = {
  'npm start': () => ['start'],
  // Its reports must not replace those of the surrounding test run.
  'npm test': (dataDir) => ['test', '--', '--only', 'e2e', 'e2e/support.spec.ts', `--output=${dataDir}`],
  'npm run proof': () => ['run', 'proof', '--', 'isolation', '--short'],
}

for (const [name, listArguments] of Object.entries(commands))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`${name}, ended by ${signal}, leaves no process and no folder behind`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'dishboard-signals-'))
      // As root, PostgreSQL may run as another user, who must be able to traverse it.
      chmodSync(folder, 0o711)
      try {
        const env = buildEnvironment(folder)
        const npm = spawn('npm', listArguments(env.DATA_DIR), { cwd: root, env, detached: true, stdio: 'ignore' })
        const exit = once(npm, 'exit')
        const hasDatabase = () => listProcesses(folder).some(({ command }) => command.includes('/bin/postgres\0'))
        await expect.poll(hasDatabase, { timeout: 240_000 }).toBe(true)
        // Ctrl-C reaches the whole process group of the terminal; a service manager signals the process that it
        // started.
        process.kill(signal === 'SIGINT' ? -(npm.pid as number) : (npm.pid as number), signal)
        await exit
        await expect.poll(() => listProcesses(folder).map(({ command }) => command), { timeout: 120_000 }).toEqual([])
        expect(readdirSync(folder).filter((entry) => entry !== 'data')).toEqual([])
      } finally {
        for (const { pid } of listProcesses(folder)) process.kill(pid, 'SIGKILL')
        rmSync(folder, { recursive: true, force: true })
      }
    })
