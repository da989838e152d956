import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Conditions, type OneWay, openOneWay } from './one-way.ts'
import { sayConnected, untilAskedToConnect } from './socks.ts'
import { openTcpSender } from './tcp-sender.ts'

const FIRST_SYN_TIMEOUT_MS = 1000

/** The same losses in each run: a figure that moves by luck shows nothing. */
const repeatable = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

interface Ways {
  there: OneWay
  back: OneWay
}

const carry = (from: Socket, to: Socket, { there, back }: Ways) => {
  let isEnded = false
  const endWhenEmpty = () => {
    if (isEnded && sender.isEmpty()) to.end()
  }
  const sender = openTcpSender({
    ...{ there, back },
    deliver: (bytes) => {
      if (!to.destroyed) to.write(bytes)
      endWhenEmpty()
    },
    onRoom: () => from.resume(),
  })
  from.on('data', (data: Buffer) => {
    from.pause()
    sender.send(data)
  })
  from.on('end', () => {
    isEnded = true
    endWhenEmpty()
  })
  // The other end hears of it when the link can tell; what was already on its way is not called back.
  from.on('close', (wasBroken) => {
    if (!wasBroken && isEnded) return
    sender.close()
    there.sendAck(() => to.destroy())
  })
  to.on('close', sender.close)
}

/**
 * A proxy on loopback that makes a good connection a poor one for everything that a browser opens: packets of all
 * connections share the rate and get lost, and each connection recovers as TCP does, handshake and slow start included.
 */
export const openPoorLink = async (targetUrl: string, given: Conditions) => {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let conditions = given
  const random = repeatable(1959)
  const up = openOneWay(() => conditions, random)
  const down = openOneWay(() => conditions, random)

  const hold = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    // Told by its closing, too.
    socket.on('error', () => undefined)
  }
  const shakeHands = async (near: Socket) => {
    let againMs = FIRST_SYN_TIMEOUT_MS
    for (; !near.destroyed && (up.isLost() || down.isLost()); againMs *= 2) await pause(againMs)
    await pause(conditions.roundTripMs)
  }
  const join = async (near: Socket) => {
    hold(near)
    await untilAskedToConnect(near)
    await shakeHands(near)
    if (near.destroyed) return
    const far = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    hold(far)
    carry(near, far, { there: up, back: down })
    carry(far, near, { there: down, back: up })
    sayConnected(near)
  }
  const server = createServer({ allowHalfOpen: true }, (near) => void join(near).catch(() => near.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const setCut = (isCut: boolean) => {
    up.setCut(isCut)
    down.setCut(isCut)
  }

  return {
    /** Where a browser finds the link; it would pass by for an address of its own machine. */
    proxy: { server: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`, bypass: '<-loopback>' },
    become: (next: Conditions) => {
      conditions = next
    },
    /** Nothing passes until it is restored; connections stay, as no one notified them. */
    cut: () => setCut(true),
    /** Requests arrive, and nobody hears what came of them. */
    cutAnswers: () => down.setCut(true),
    restore: () => setCut(false),
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
