import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

// Node takes one newcomer from a listening socket in each turn of its loop, and when there is much to do a turn takes long: of
// a thousand who come at once many would not even be turned away for half a minute. Each further socket on the same port lets
// in one more.
const LISTENERS = 32

// Elsewhere a port has one socket.
const canShare = process.platform === 'linux'

interface ListenOptions {
  host: string
  /** How many connections may wait at each listener. */
  backlog: number
}

/** To be set on the first socket of a port for others to be opened beside it. */
export const sharedPort = canShare ? { reusePort: true } : {}

/** Opens more sockets on the port of a server that listens; whoever comes in by them is at that server. */
export const openListeners = async (server: Server, { host, backlog }: ListenOptions) => {
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    listener.listen({ host, port, backlog, ...sharedPort })
    await once(listener, 'listening')
    return listener
  }
  const listeners = await Promise.all(Array.from({ length: canShare ? LISTENERS - 1 : 0 }, open))
  return {
    /** Resolves when everybody who came in has left. */
    close: async () => {
      await Promise.all(
        listeners.map((listener) => {
          listener.close()
          return once(listener, 'close')
        }),
      )
    },
  }
}
