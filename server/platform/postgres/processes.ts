import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** A killed process is a zombie until its parent reaps it. It holds no resources, so it counts as dead. */
export const isAlive = (pid: number) => {
  const stat = read(`/proc/${pid}/stat`)
  if (!stat) return false
  // The name in parentheses may contain parentheses; the state follows the last one.
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
  return state !== 'Z' && state !== 'X'
}

const findLink = (path: string) => {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

export const findCommand = (pid: number) => ({
  executable: findLink(`/proc/${pid}/exe`),
  args: read(`/proc/${pid}/cmdline`)?.split('\0').slice(1, -1) ?? [],
})

export const runsIn = (pid: number, dir: string) => findLink(`/proc/${pid}/cwd`) === dir

const isPostgresIn = (pid: number, clusterDir: string, ownerUid: number) => {
  if (findLink(`/proc/${pid}/cwd`) !== undefined) return runsIn(pid, clusterDir)
  // Root in a container without the ptrace capability may not see the working directory of another user's process.
  try {
    return read(`/proc/${pid}/comm`) === 'postgres\n' && statSync(`/proc/${pid}`).uid === ownerUid
  } catch {
    return false
  }
}

/** Every live server process of a cluster. The cluster's folder is the working directory of all of them. */
export const listPostgresProcesses = (clusterDir: string, ownerUid: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isPostgresIn(pid, clusterDir, ownerUid) && isAlive(pid))

/** Polls until the condition is true or the timeout has passed. Returns whether it became true. */
export const waitUntil = async (done: () => boolean, limitMs: number, stepMs = 20) => {
  const end = performance.now() + limitMs
  while (!done()) {
    if (performance.now() > end) return false
    await pause(stepMs)
  }
  return true
}

export const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
