import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

export type HashTask =
  | { kind: 'hash'; password: string; options: Options }
  | { kind: 'verify'; hash: string; password: string }
export type HashResult = { value: string | boolean } | { error: string }

/**
 * Lower priority than the rest of the app, which serves all other requests meanwhile. Not the lowest: a backup must not
 * block sign-ins.
 */
const LOWER_BY = 5
const LOWEST = 19

// On Linux this applies to the calling thread; on other systems, to the whole process.
if (process.platform === 'linux') setPriority(Math.min(LOWEST, getPriority() + LOWER_BY))

const computeHash = (task: HashTask) =>
  task.kind === 'hash' ? hashSync(task.password, task.options) : verifySync(task.hash, task.password)

parentPort?.on('message', (task: HashTask) => {
  let result: HashResult
  try {
    result = { value: computeHash(task) }
  } catch (error) {
    result = { error: (error as Error).message }
  }
  parentPort?.postMessage(result)
})
