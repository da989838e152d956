import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figures.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const START_TIMEOUT_MS = 10 * 60_000

/** Seconds from `npm start` to the line that reports it is ready. Stops the process with SIGINT afterward. */
const timeStart = async (clone: string, environment: NodeJS.ProcessEnv) => {
  const startedAt = performance.now()
  const { PATH = '' } = environment
  // The clone must use its own Node, not the one that runs this bench.
  const path = PATH.split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...environment, PATH: path, PORT: '0', DATA_DIR: join(clone, '.data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGTERM'), START_TIMEOUT_MS)
  let seconds: number | undefined
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    if (seconds !== undefined || !chunk.includes('Dishboard is ready')) continue
    seconds = (performance.now() - startedAt) / 1000
    child.kill('SIGINT')
  }
  clearTimeout(timer)
  await ended
  if (seconds === undefined) throw new Error('The clone did not start.')
  return seconds
}

const measureSize = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Starts the demo from a fresh clone with nothing installed, then a second time. */
export const measureStart = async (environment: NodeJS.ProcessEnv): Promise<Figure[]> => {
  const clone = await mkdtemp(join(tmpdir(), 'dishboard-clone-'))
  try {
    execFileSync('git', ['clone', '--quiet', root, clone])
    const cold = await timeStart(clone, environment)
    const warm = await timeStart(clone, environment)
    const bytes = await measureSize(join(clone, 'node_modules'))
    return [
      { name: 'cold start: install, build and demo', value: cold, unit: 's' },
      { name: 'warm start', value: warm, unit: 's' },
      { name: 'size of the install', value: bytes / 1e6, unit: 'MB' },
    ]
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
}
