import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'

// Node accepts one connection per event-loop iteration and listening socket. Under load an iteration takes long, so in a
// burst of 1,000 connections many would sit in the accept queue for half a minute before even being refused. Each extra
// socket on the port accepts one more per iteration.
const LISTENERS = 32

// Other platforms allow one socket per port.
const canShare = process.platform === 'linux'

interface ListenOptions {
  host: string
  /** The length of each socket's accept queue. */
  backlog: number
}

/** Must be set on the first socket of a port, so that others can share it. */
export const sharedPort = canShare ? { reusePort: true } : {}

// The first iteration may end before the event loop has polled the sockets.
const IDLE_ITERATIONS = 3
// Under a flood, iterations without a new connection may never occur, and each may take long.
const ACCEPT_WITHIN_MS = 1_000

/** Opens more sockets on the port of a listening server; that server handles their connections. */
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

  /** Closing a socket resets the connections in its accept queue, including those whose request was already sent. */
  const drainAcceptQueues = async () => {
    const endMs = performance.now() + ACCEPT_WITHIN_MS
    for (let idle = 0; idle < IDLE_ITERATIONS && performance.now() < endMs; ) {
      const before = accepted
      await nextIteration()
      idle = accepted === before ? idle + 1 : 0
    }
  }

  return {
    /** Closes the port. Open connections stay: their clients do not know yet and may still send requests. */
    closePort: async () => {
      await drainAcceptQueues()
      for (const listener of listeners) listener.close()
      // An HTTP server's own `close` would also close new connections whose request has not arrived yet.
      NetServer.prototype.close.call(server)
    },
    /** Browsers preconnect. Node does not treat a connection that never received a byte as idle. */
    endUnused: () => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    },
    /** Resolves when all connections are closed. */
    untilClosed: async () => {
      await Promise.all(listeners.map((listener) => new Promise<void>((resolve) => listener.close(() => resolve()))))
    },
  }
}
