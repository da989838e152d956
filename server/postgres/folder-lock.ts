import { createHash } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { StartProblem } from './start-problem.ts'

// An abstract socket has no file: the kernel frees the name when its holder dies, even by SIGKILL.
const lockName = (realDir: string) => `\0dishboard-${createHash('sha256').update(realDir).digest('hex').slice(0, 32)}`

const findHolder = (name: string) =>
  new Promise<string>((resolve) => {
    let answer = ''
    const socket = connect(name)
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })

/** Keeps every other process away from a data folder until it is released or this process ends. */
export const lockFolder = async (realDir: string): Promise<() => Promise<void>> => {
  const name = lockName(realDir)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(String(process.pid))
  })
  const refused = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen(name, () => resolve(undefined))
  })
  if (refused?.code === 'EADDRINUSE') {
    const holder = await findHolder(name)
    throw new StartProblem(
      `Dishboard is already running on the data folder ${realDir}${holder ? ` (process ${holder})` : ''}. Stop it first, or set DATA_DIR (and PORT) for a second one.`,
    )
  }
  if (refused) throw refused
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}
