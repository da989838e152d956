import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

const waiting: Buffer[] = []
const nothing = JSON.stringify({ data: { values: [], columnNamesByDeviceType: {} }, metadata: { enums: {} } })
const token = JSON.stringify({ access_token: 'token', expires_in: 900 })

parentPort?.on('message', (bodies: string[]) => {
  waiting.push(...bodies.map((body) => Buffer.from(body)))
  parentPort?.postMessage('taken')
})

const server = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  response.end(request.url === '/token' ? token : (waiting.shift() ?? nothing))
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
