import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { openListeners, sharedPort } from './listeners.ts'

const WAVE = 300
const host = '127.0.0.1'
const place = { host, backlog: 1_000 }

// People whose requests do not wait for our own loop.
const CROWD = `
  const { workerData: { port, count }, parentPort } = require('node:worker_threads')
  const { get } = require('node:http')
  for (let nth = 0; nth < count; nth++)
    get({ host: '127.0.0.1', port, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => parentPort.postMessage(answer.statusCode))
    }).on('error', (error) => parentPort.postMessage(error.code))`

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
    server.close()
    server.closeAllConnections()
    await listeners.close()
  }
  return { server, port, close }
}

test.runIf(process.platform === 'linux')(
  'a wave of newcomers is let in within a few turns of a busy loop',
  async () => {
    let answered = 0
    const { port, close } = await listen(() => answered++)
    ends.push(close)
    const crowd = new Worker(CROWD, { eval: true, workerData: { port, count: WAVE } })
    ends.push(async () => void (await crowd.terminate()))
    const statuses: (number | string)[] = []
    crowd.on('message', (status) => statuses.push(status))
    let turns = 0
    while (answered < WAVE && turns < WAVE) {
      if (answered > 0) turns++
      const until = performance.now() + 20
      while (performance.now() < until);
      await nextTurn()
    }
    expect(answered).toBe(WAVE)
    expect(turns).toBeLessThan(WAVE / 4)
    await expect.poll(() => statuses.length).toBe(WAVE)
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
