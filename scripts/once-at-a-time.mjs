import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { say } from './progress.mjs'

const tryLock = (name) =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(name, () => resolve(server))
  })

/**
 * Two installs or builds in one folder would damage each other, so the second waits. Linux releases the lock of a killed process.
 */
export const onceAtATime = async (folder, work) => {
  if (process.platform !== 'linux') return work()
  const name = `\0dishboard-prepare-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`
  let server = await tryLock(name)
  if (!server) say('Another start is preparing this folder; waiting for it')
  while (!server) {
    await pause(500)
    server = await tryLock(name)
  }
  try {
    return await work()
  } finally {
    server.close()
  }
}
