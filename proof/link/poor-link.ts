import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Conditions, type Direction, openDirection } from './link-direction.ts'

/** As much as a sender may have on its way. */
const WINDOW_BYTES = 64 * 1024

/** The same losses in each run: a figure that moves by luck shows nothing. */
const repeatable = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

const carry = (from: Socket, to: Socket, direction: Direction, openAtMs: number) => {
  let underwayBytes = 0
  let isEnded = false
  const endWhenEmpty = async () => {
    if (!isEnded || underwayBytes > 0) return
    await direction.untilWhole()
    to.end()
  }
  const send = direction.openLane(openAtMs, (packet) => {
    underwayBytes -= packet.length
    if (!to.destroyed) to.write(packet)
    if (underwayBytes < WINDOW_BYTES) from.resume()
    void endWhenEmpty()
  })
  from.on('data', (data: Buffer) => {
    underwayBytes += data.length
    if (underwayBytes >= WINDOW_BYTES) from.pause()
    send(data)
  })
  from.on('end', () => {
    isEnded = true
    void endWhenEmpty()
  })
  from.on('error', () => to.destroy())
}

/**
 * A TCP proxy on loopback that makes a good connection a poor one, for everything that a browser opens. It works on the
 * stream and not on packets: a lost packet is the stall that its sending again would cause. Connections begin with a round
 * trip for their handshake. Not shown: the slow start of TCP, and a queue that grows.
 */
export const openPoorLink = async (targetUrl: string, given: Conditions) => {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let conditions = given
  const random = repeatable(1959)
  const up = openDirection(() => conditions, random)
  const down = openDirection(() => conditions, random)

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => sockets.delete(socket))
    }
    carry(near, far, up, performance.now() + conditions.roundTripMs * 1.5)
    carry(far, near, down, 0)
    // A browser that gives up tells the other end, if the link is there to tell it.
    near.on('close', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become: (next: Conditions) => {
      conditions = next
    },
    /** Nothing passes until it is restored; connections stay, as nobody has told them. */
    cut: () => {
      up.cut()
      down.cut()
    },
    /** Requests arrive, and nobody hears what came of them. */
    cutAnswers: () => down.cut(),
    restore: () => {
      up.restore()
      down.restore()
    },
    /** Breaks every connection: what was on its way is lost, and nobody knows how far it had come. */
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

export type PoorLink = Awaited<ReturnType<typeof openPoorLink>>
