import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { listenToDatabase } from './listen.ts'

test('a database that accepts a connection and never responds is connected to again', async () => {
  const { runtime, close } = await createTestDatabase()
  const sockets: Socket[] = []
  let opened = 0
  const proxy = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    if (opened++ === 0) return
    const upstream = connect(join(String(runtime.host), '.s.PGSQL.5432')).on('error', () => {})
    sockets.push(upstream)
    socket.pipe(upstream).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const listener = listenToDatabase({
    connection: { ...runtime, host: '127.0.0.1', port },
    log: pino({ level: 'silent' }),
    retryMs: 10,
    checkIntervalMs: 1_000,
  })
  await new Promise<void>((resolve) => {
    void listener.subscribe({ channel: 'jobs', onNotification: () => {}, onConnected: resolve })
  })
  expect(opened).toBeGreaterThan(1)
  expect(await listener.query('select 1 as one')).toEqual([{ one: 1 }])
  await listener.close()
  for (const socket of sockets) socket.destroy()
  proxy.close()
  await close()
})
