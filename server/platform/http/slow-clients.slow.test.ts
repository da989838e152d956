import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

/**
 * Sends the start of a request, then a byte at intervals, and returns what was received when the server closed the
 * connection.
 */
const sendSlowly = async (beginning: string) => {
  const { port } = server.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  socket.write(beginning)
  const drip = setInterval(() => socket.write('x'), 500)
  // Not by once(): a byte in flight when the server closes gets a reset, which is not a failure.
  await new Promise((resolve) => socket.on('close', resolve))
  clearInterval(drip)
  return received
}

// Concurrent, because each waits for a server timeout.
test.concurrent('a client that dawdles over its headers is cut off', async ({ expect }) => {
  expect(await sendSlowly('GET /api/config/ HTTP/1.1\r\nHost: a.example\r\nX-Slow: ')).toContain('408')
})

test.concurrent('a client that dawdles over its body is cut off', async ({ expect }) => {
  const beginning =
    'POST /api/user/login/ HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'
  expect(await sendSlowly(beginning)).toContain('408')
})

test('a client that sends too much gets a 413 before it has sent all of it', async () => {
  const { port } = server.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const response = new Promise<string>((resolve, reject) => {
    let received = ''
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += chunk
      if (received.includes('"invalid"')) resolve(received)
    })
  })
  const lengthBytes = 8 * 1024 * 1024
  socket.write(
    `POST /api/user/login/ HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: ${lengthBytes}\r\n\r\n`,
  )
  expect(await response).toContain('413')
  await new Promise((resolve) => socket.write(Buffer.alloc(lengthBytes, ' '), resolve))
  const next = once(socket, 'data')
  socket.write('GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n')
  expect(String(await next)).toContain('200 OK')
  socket.destroy()
})
