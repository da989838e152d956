import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import type { HashResult, HashTask } from './hash-thread.ts'

interface Thread {
  run: (task: HashTask) => Promise<string | boolean>
}

const startThread = (onExit: (thread: Thread) => void): Thread => {
  const worker = new Worker(new URL('./hash-thread.ts', import.meta.url))
  let settle = (_result: HashResult) => {}
  // An idle thread does not keep the process alive.
  worker.unref()
  worker.on('message', (result: HashResult) => settle(result))
  worker.on('error', (error) => settle({ error: error.message }))
  const thread: Thread = {
    run: (task) =>
      new Promise((resolve, reject) => {
        settle = (result) => {
          worker.unref()
          if ('value' in result) resolve(result.value)
          else reject(new Error(result.error))
        }
        worker.ref()
        worker.postMessage(task)
      }),
  }
  worker.on('exit', () => {
    settle({ error: 'The thread that hashes passwords has ended.' })
    onExit(thread)
  })
  return thread
}

/**
 * Hashes in dedicated threads of lower priority. Node's own pool also reads files, compresses and resolves names, and
 * competes with the thread that serves requests.
 */
const createThreads = () => {
  const idle: Thread[] = []
  const ended = new WeakSet<Thread>()
  const removeThread = (thread: Thread) => {
    ended.add(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
  }
  return async (task: HashTask) => {
    const thread = idle.pop() ?? startThread(removeThread)
    try {
      return await thread.run(task)
    } finally {
      if (!ended.has(thread)) idle.push(thread)
    }
  }
}

/** Starts at most as many threads as the queue allows concurrent hashes. */
const runInThread = createThreads()

export const hash = (password: string, options: Options) =>
  runInThread({ kind: 'hash', password, options }) as Promise<string>

export const verify = (hashed: string, password: string) =>
  runInThread({ kind: 'verify', hash: hashed, password }) as Promise<boolean>
