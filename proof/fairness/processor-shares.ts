import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports CPU time to programs in hundredths of a second, whatever the kernel uses. */
const TICKS_PER_SECOND = 100

const readOrEmpty = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}

/** User and system time of a process or a thread. */
const readSeconds = (folder: string) => {
  const text = readOrEmpty(`${folder}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const listThreads = (pid: number) => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

interface Processes {
  server: number
  database: () => readonly number[]
}

/** CPU cores used between two times: by the thread that serves, by other threads of the server, and by the rest. */
export const watchProcessors = ({ server, database }: Processes) => {
  const read = () => {
    const serving = readSeconds(`/proc/${server}/task/${server}`)
    const threads = listThreads(server).reduce((sum, id) => sum + readSeconds(`/proc/${server}/task/${id}`), 0)
    return {
      atMs: performance.now(),
      serving,
      hashing: threads - serving,
      database: database().reduce((sum, pid) => sum + readSeconds(`/proc/${pid}`), 0),
      sender: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    }
  }
  const from = read()
  return () => {
    const to = read()
    const seconds = (to.atMs - from.atMs) / 1000
    const share = (name: 'serving' | 'hashing' | 'database' | 'sender') => (to[name] - from[name]) / seconds
    return {
      serving: share('serving'),
      hashing: share('hashing'),
      database: share('database'),
      sender: share('sender'),
    }
  }
}
