import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isAlive, sendSignal, waitUntil } from '../platform/postgres/processes.ts'

const AFTER_SIGNAL_MS = 30_000

const folder = process.argv[2] as string
const owner = Number(process.argv[3])

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const listProcesses = (belongs: (pid: number) => boolean) => () =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid) && belongs(pid))

const listChildren = listProcesses((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`))
const findParent = (pid: number) => Number(/^\d+ \(.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1])
const listOrphans = () => listChildren().filter((pid) => findParent(pid) !== owner)
/** They do not inherit our environment, but have the path of their data in their arguments. */
const listDatabases = listProcesses((pid) => read(`/proc/${pid}/cmdline`).includes(folder))

const endAll = async (list: () => number[], firstSignal: NodeJS.Signals) => {
  for (const signal of [firstSignal, 'SIGKILL'] as const) {
    for (const pid of list()) sendSignal(pid, signal)
    if (await waitUntil(() => list().length === 0, AFTER_SIGNAL_MS, 50)) return
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.resume().once('close', async () => {
  await endAll(listOrphans, 'SIGTERM')
  // A run that is still active ends its own children: a test worker that got a signal would not handle it.
  await waitUntil(() => listChildren().length === 0, AFTER_SIGNAL_MS, 50)
  await endAll(listChildren, 'SIGTERM')
  await endAll(listDatabases, 'SIGINT')
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.exit(0)
})
