import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

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

// The first turn may end before the loop has looked at the sockets.
const QUIET_TURNS = 3
// Under a flood, turns without a newcomer may never come.
const MAX_TURNS = 300

/** Opens more sockets on the port of a server that listens; whoever comes in by them is at that server. */
export const openListeners = async (server: Server, { host, backlog }: ListenOptions) => {
  const { port } = server.address() as AddressInfo
  let accepted = 0
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    accepted++
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const open = async () => {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    listener.listen({ host, port, backlog, ...sharedPort })
    await once(listener, 'listening')
    return listener
  }
  const listeners = await Promise.all(Array.from({ length: canShare ? LISTENERS - 1 : 0 }, open))

  /** The kernel resets connections that wait at a socket when it is closed, and with them requests that were sent already. */
  const untilNobodyWaits = async () => {
    for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn++) {
      const before = accepted
      await nextTurn()
      quiet = accepted === before ? quiet + 1 : 0
    }
  }

  return {
    /** Closes the port. The connections stay open: the one who sends on them does not know yet. */
    closePort: async () => {
      await untilNobodyWaits()
      for (const listener of listeners) listener.close()
      // An HTTP server's own `close` also closes connections that just came in and have not sent their request yet.
      NetServer.prototype.close.call(server)
    },
    /** Browsers open connections in advance. Node does not count one on which nothing was ever sent as idle. */
    endUnused: () => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    },
    /** Resolves when everybody who came in has left. */
    untilEmpty: async () => {
      await Promise.all(listeners.map((listener) => new Promise<void>((resolve) => listener.close(() => resolve()))))
    },
  }
}
