import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Conditions, type OneWay, openOneWay } from './one-way.ts'
import { confirmConnection, waitForConnectRequest } from './socks.ts'
import { openTcpSender } from './tcp-sender.ts'

const FIRST_SYN_TIMEOUT_MS = 1000

/** The same losses in each run, so that figures are comparable. */
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
    there,
    back,
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
  // The other end is notified when the link is up; segments in flight still arrive.
  from.on('close', (wasBroken) => {
    if (!wasBroken && isEnded) return
    sender.close()
    there.sendAck(() => to.destroy())
  })
  to.on('close', sender.close)
}

/**
 * A proxy on loopback that simulates a poor link for all connections of a browser: packets of all
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
    // The close event follows.
    socket.on('error', () => undefined)
  }
  const shakeHands = async (near: Socket) => {
    let againMs = FIRST_SYN_TIMEOUT_MS
    for (; !near.destroyed && (up.isLost() || down.isLost()); againMs *= 2) await pause(againMs)
    await pause(conditions.roundTripMs)
  }
  const join = async (near: Socket) => {
    hold(near)
    await waitForConnectRequest(near)
    await shakeHands(near)
    if (near.destroyed) return
    const far = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    hold(far)
    carry(near, far, { there: up, back: down })
    carry(far, near, { there: down, back: up })
    confirmConnection(near)
  }
  const server = createServer({ allowHalfOpen: true }, (near) => void join(near).catch(() => near.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const setCut = (isCut: boolean) => {
    up.setCut(isCut)
    down.setCut(isCut)
  }

  return {
    /** Proxy settings for a browser, which would bypass the proxy for loopback addresses by default. */
    proxy: { server: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`, bypass: '<-loopback>' },
    become: (next: Conditions) => {
      conditions = next
    },
    /** Nothing passes until the link is restored; connections stay open on both ends. */
    cut: () => setCut(true),
    /** Requests arrive, but responses are lost. */
    cutResponses: () => down.setCut(true),
    restore: () => setCut(false),
    /** Resets every connection; data in flight is lost. */
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
