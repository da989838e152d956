import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Session } from './session.ts'
import { TENANT } from './stack.ts'

interface Options {
  url: string
  /** Each may have ten streams. */
  sessions: readonly Session[]
  heads: number
  bodies: number
  readers: number
}

const DRIP_EVERY_MS = 1_000
const COME_BACK_AFTER_MS = 200
const AT_ONCE = 50

const HEAD = `GET /api/config/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Tenant: ${TENANT}\r\nX-Slow: `
const BODY = `POST /api/user/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Tenant: ${TENANT}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`
const streamBy = (token: string) =>
  `GET /api/live/?details=true HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Tenant: ${TENANT}\r\nAuthorization: Bearer ${token}\r\n\r\n`

/** Slow clients that hold connections open, and reconnect whenever they are cut off. */
export const startSlowSockets = async ({ url, sessions, heads, bodies, readers }: Options) => {
  const { port } = new URL(url)
  const open = new Set<Socket>()
  let isOver = false
  let cutOff = 0

  const sendSlowly = (beginning: string, drips: boolean) => {
    const socket = connect(Number(port), '127.0.0.1')
    open.add(socket)
    socket.on('error', () => {})
    socket.write(beginning)
    // A client that sends slowly reads the response; one that reads slowly never reads at all.
    if (drips) socket.resume()
    else socket.pause()
    const drip = drips ? setInterval(() => socket.write('x'), DRIP_EVERY_MS) : undefined
    socket.on('close', () => {
      clearInterval(drip)
      open.delete(socket)
      if (isOver) return
      cutOff++
      setTimeout(() => isOver || sendSlowly(beginning, drips), COME_BACK_AFTER_MS)
    })
  }

  const beginnings = [
    ...Array.from({ length: heads }, () => [HEAD, true] as const),
    ...Array.from({ length: bodies }, () => [BODY, true] as const),
    ...Array.from(
      { length: readers },
      (_, nth) => [streamBy(sessions[nth % sessions.length]?.access ?? ''), false] as const,
    ),
  ]
  for (const [nth, [beginning, drips]] of beginnings.entries()) {
    sendSlowly(beginning, drips)
    if (nth % AT_ONCE === 0) await pause(10)
  }
  return {
    count: () => open.size,
    cutOff: () => cutOff,
    stop: () => {
      isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}
