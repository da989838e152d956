import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { openListeners, sharedPort } from './listeners.ts'

const BURST = 300
const host = '127.0.0.1'
const place = { host, backlog: 1_000 }

// Clients in another thread, so that their requests do not depend on this event loop.
const CLIENTS = `
  const { workerData: { port, count, sent }, parentPort } = require('node:worker_threads')
  const { get } = require('node:http')
  const countSent = () => {
    Atomics.add(sent, 0, 1)
    Atomics.notify(sent, 0)
  }
  for (let nth = 0; nth < count; nth++)
    get({ host: '127.0.0.1', port, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => parentPort.postMessage(answer.statusCode))
    }).on('finish', countSent).on('error', (error) => parentPort.postMessage(error.code))`

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const listen = async (answer: () => void) => {
  const server = createServer((_request, response) => {
    answer()
    response.end()
  })
  server.listen({ port: 0, ...place, ...sharedPort })
  await once(server, 'listening')
  const listeners = await openListeners(server, place)
  const { port } = server.address() as AddressInfo
  const close = async () => {
    await listeners.closePort()
    server.closeAllConnections()
    await listeners.untilClosed()
  }
  return { ...listeners, server, port, close }
}

test.runIf(process.platform === 'linux')(
  'a burst of connections that arrived while the loop was busy is accepted within a few iterations',
  async () => {
    let answered = 0
    const { port, close } = await listen(() => answered++)
    ends.push(close)
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port, count: BURST, sent } })
    ends.push(async () => void (await clients.terminate()))
    const statuses: (number | string)[] = []
    clients.on('message', (status) => statuses.push(status))
    // Blocks the event loop until all requests are in the accept queue.
    for (let count = 0; count < BURST; count = Atomics.load(sent, 0)) Atomics.wait(sent, 0, count)
    let turns = 0
    for (; answered < BURST && turns < BURST; turns++) await nextIteration()
    expect(answered).toBe(BURST)
    expect(turns).toBeLessThan(BURST / 4)
    await expect.poll(() => statuses.length).toBe(BURST)
    expect(new Set(statuses)).toEqual(new Set([200]))
  },
)

test('closing ends every connection, whichever listener accepted it', async () => {
  const { port, close } = await listen(() => {})
  const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(`http://${host}:${port}/`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await close()
  await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow()
})

test('connections that were opened in advance end, and one whose request has begun does not', async () => {
  const { server, port, closePort, endUnused, untilClosed } = await listen(() => {})
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const unused = Array.from({ length: 20 }, () => connect({ host, port }))
  const ended = unused.map((socket) => once(socket, 'close'))
  const begun = connect({ host, port })
  begun.write('GET / HTTP/1.1\r\nHost: ')
  await expect.poll(() => sockets.length).toBe(21)
  await expect.poll(() => sockets.filter(({ bytesRead }) => bytesRead > 0).length).toBe(1)
  await closePort()
  endUnused()
  await Promise.all(ended)
  begun.write('a\r\nConnection: close\r\n\r\n')
  const [answer] = await once(begun, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
  await untilClosed()
})

// Counts the connections that the kernel has established while this event loop is blocked.
const COUNTING_CLIENTS = `
  const { workerData: { port, count, connected }, parentPort } = require('node:worker_threads')
  const { get } = require('node:http')
  const counter = new Int32Array(connected)
  for (let nth = 0; nth < count; nth++) {
    const request = get({ host: '127.0.0.1', port, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => parentPort.postMessage(answer.statusCode))
    }).on('error', (error) => parentPort.postMessage(error.code))
    request.on('socket', (socket) => socket.on('connect', () => {
      if (Atomics.add(counter, 0, 1) === count - 1) Atomics.notify(counter, 0)
    }))
  }`

test('a port that closes first accepts every connection in its queue', async () => {
  const count = 100
  const { port, closePort, close } = await listen(() => {})
  ends.push(close)
  const connected = new SharedArrayBuffer(4)
  const counter = new Int32Array(connected)
  const clients = new Worker(COUNTING_CLIENTS, { eval: true, workerData: { port, count, connected } })
  ends.push(async () => void (await clients.terminate()))
  const statuses: (number | string)[] = []
  clients.on('message', (status) => statuses.push(status))
  await once(clients, 'online')
  for (let seen = 0; seen < count; seen = Atomics.load(counter, 0)) Atomics.wait(counter, 0, seen, 20)
  await closePort()
  await expect.poll(() => statuses.length).toBe(count)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  const late = connect({ host, port })
  await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a request on a connection that was open when the port closed is answered', async () => {
  const { server, port, closePort, close } = await listen(() => {})
  ends.push(close)
  const socket = connect({ host, port })
  await once(server, 'connection')
  await closePort()
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
  socket.destroy()
})
