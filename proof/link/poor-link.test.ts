import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { openPoorLink } from './poor-link.ts'

type Link = Awaited<ReturnType<typeof openPoorLink>>

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at) % 251))

/** Echoes a request once all of it has arrived. */
const openEcho = async () => {
  const server = createServer({ allowHalfOpen: true }, async (socket) => socket.end(await buffer(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Connects over the link by SOCKS, like a browser. */
const connectOver = async ({ proxy }: Link) => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.server).port), allowHalfOpen: true })
  socket.write(Buffer.from([5, 1, 0]))
  await once(socket, 'data')
  socket.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, 0, 80]))
  await once(socket, 'data')
  return socket
}

const echo = async (link: Link) => {
  const socket = await connectOver(link)
  socket.end(bytes)
  return await buffer(socket)
}

test('data arrives complete and in order over a lossy link, on parallel connections', async () => {
  const link = await openPoorLink(await openEcho(), { roundTripMs: 4, bytesPerS: 10_000_000, lossShare: 0.05 })
  ends.push(link.close)
  const responses = await Promise.all([echo(link), echo(link), echo(link)])
  expect(responses.map((response) => response.equals(bytes))).toEqual([true, true, true])
})

test('a link is no faster than its rate and its round trips', async () => {
  const link = await openPoorLink(await openEcho(), { roundTripMs: 100, bytesPerS: 600_000, lossShare: 0 })
  ends.push(link.close)
  const startMs = performance.now()
  await echo(link)
  // Half a second each way at that rate, one round trip to connect, and one for request and response.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(1200)
})

test('a connection is reported after its handshake only', async () => {
  const link = await openPoorLink(await openEcho(), { roundTripMs: 100, bytesPerS: 600_000, lossShare: 0 })
  ends.push(link.close)
  const startMs = performance.now()
  const socket = await connectOver(link)
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(99)
  socket.destroy()
})

test('data sent during an outage arrives once the link is restored', async () => {
  const link = await openPoorLink(await openEcho(), { roundTripMs: 4, bytesPerS: 10_000_000, lossShare: 0 })
  ends.push(link.close)
  const socket = await connectOver(link)
  link.cut()
  socket.end(bytes)
  setTimeout(link.restore, 50)
  expect((await buffer(socket)).equals(bytes)).toBe(true)
})
