import { createHash } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'

// An abstract socket has no file: the kernel frees the name when its holder dies, even by SIGKILL.
const lockName = (realDir: string) => `\0dishboard-${createHash('sha256').update(realDir).digest('hex').slice(0, 32)}`

const findHolder = (name: string) =>
  new Promise<string>((resolve) => {
    let response = ''
    const socket = connect(name)
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('data', (chunk) => {
      response += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(response))
  })

const tryLock = async (name: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(String(process.pid))
  })
  const refused = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen(name, () => resolve(undefined))
  })
  if (!refused) return server.unref()
  if (refused.code !== 'EADDRINUSE') throw refused
  return undefined
}

/** Locks a data folder against other processes until the lock is released or this process ends. */
export const lockFolder = async (realDir: string): Promise<() => Promise<void>> => {
  const name = lockName(realDir)
  // A process that was just killed may hold the name slightly longer without responding.
  for (let tries = 0; tries < 20; tries++) {
    const server = await tryLock(name)
    if (server) return () => new Promise((resolve) => server.close(() => resolve()))
    const holder = await findHolder(name)
    if (holder) throw refusal(realDir, ` (process ${holder})`)
    await pause(100)
  }
  throw refusal(realDir, '')
}

const refusal = (realDir: string, holder: string) =>
  new StartupError(
    `Dishboard is already running on the data folder ${realDir}${holder}. Stop it first, or set DATA_DIR (and PORT) for a second one.`,
  )
