import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface CallerData {
  url: string
  token: string
  /** `{}` is replaced by the number of a terminal. */
  paths: string[]
  rounds: number
  warmUps: number
  terminals: number
}

export type Timings = { ms: number[]; bytes: number }[]

const { url, token, paths, rounds, warmUps, terminals } = workerData as CallerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const call = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-length': 0 }
    const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path} returned ${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

const timings: Timings = paths.map(() => ({ ms: [], bytes: 0 }))
for (let round = -warmUps; round < rounds; round++)
  for (const [index, path] of paths.entries()) {
    const terminal = Math.floor(Math.random() * terminals)
    const startedMs = performance.now()
    const bytes = await call(path.replace('{}', String(terminal)))
    if (round < 0) continue
    timings[index]?.ms.push(performance.now() - startedMs)
    const timing = timings[index]
    if (timing) timing.bytes = bytes
  }
agent.destroy()
parentPort?.postMessage(timings)
