import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AccountOptions, consumeRequest, createTokens, REQUESTS_PER_MINUTE } from './accounts.ts'
import { findCall } from './api.ts'
import { RequestError } from './call.ts'
import { handleControl } from './control.ts'
import { type ApiResponse, fail, json } from './response.ts'
import type { Scenario } from './scenarios.ts'
import { createSimulation, type Simulation } from './simulation.ts'

export const DEFAULT_CREDENTIAL = { clientId: 'simulator', clientSecret: 'simulator-secret' }

export type SimulatorOptions = {
  /** 0 takes any free port. */
  port?: number
  /** The size of the fleet of one account with the default credential; unused if `accounts` is set. */
  terminals?: number
  accounts?: readonly AccountOptions[]
  seed?: number
  speed?: number
  /** The limit per account. */
  requestsPerMinute?: number
  now?: () => number
}

const API_PATH = '/api/public/v2'
const TOKEN_PATH = '/api/auth/connect/token'
const CONTROL_PATH = '/simulator'
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Serves the vendor's API V2 on loopback with a simulated fleet. */
export const startSimulator = async (options: SimulatorOptions = {}) => {
  const simulation = createSimulation({
    seed: options.seed ?? 1,
    accounts: options.accounts ?? [{ ...DEFAULT_CREDENTIAL, terminals: options.terminals ?? 60 }],
    speed: options.speed,
    now: options.now,
  })
  const respond = createResponder(simulation, options.requestsPerMinute ?? REQUESTS_PER_MINUTE)
  const server = createServer((request, response) => void serve(respond, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  return {
    port,
    origin,
    /** The base URL for clients. */
    url: `${origin}${API_PATH}`,
    tokenUrl: `${origin}${TOKEN_PATH}`,
    fleet: simulation.fleet,
    simulation,
    play: (scenario: Scenario) => void simulation.scenarios.add(scenario),
    stopScenario: (scenario: Scenario) => void simulation.scenarios.delete(scenario),
    /** Takes a terminal down, so that it stops reporting, or brings it up, so that it keeps reporting. */
    setDown: (name: string, isDown: boolean) => {
      const terminal = simulation.findTerminal(name)
      if (!terminal) throw new RangeError(`No terminal is called ${name}`)
      simulation.takeDown(terminal, isDown)
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>

type Incoming = { method: string; url: URL; authorization: string | undefined; text: string; signal: AbortSignal }

const createResponder = (simulation: Simulation, requestsPerMinute: number) => {
  const tokens = createTokens(simulation.credentials)

  const handleApi = (incoming: Incoming): ApiResponse | Promise<ApiResponse> => {
    const { method, url, text, signal } = incoming
    const nowMs = simulation.clockMs()
    simulation.traffic.record()
    if (simulation.scenarios.has('hanging')) return hangUntilAborted(signal)
    if (simulation.scenarios.has('all-failing')) return fail(500, 'Internal server error.')
    const credential = tokens.find(incoming.authorization, nowMs)
    if (!credential) return fail(401, 'Unauthorized.')
    const isOverRate = !consumeRequest(credential, requestsPerMinute, nowMs)
    if (isOverRate || simulation.scenarios.has('rate-limited')) return { status: 429, body: '' }
    const call = findCall(method, url.pathname.slice(API_PATH.length))
    if (!call) return fail(404, 'Not found.')
    const body = text === '' ? undefined : parseBody(text)
    return call.handle({ simulation, credential, params: call.params, query: url.searchParams, body, signal })
  }

  const handleToken = ({ method, text, signal }: Incoming): ApiResponse | Promise<ApiResponse> => {
    if (method !== 'POST') return { status: 405, body: '' }
    const { scenarios } = simulation
    simulation.traffic.record()
    if (scenarios.has('hanging')) return hangUntilAborted(signal)
    if (scenarios.has('all-failing') || scenarios.has('no-tokens'))
      return json(503, { error: 'temporarily_unavailable' })
    const form = new URLSearchParams(text)
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' })
    const minted = tokens.mint(form, simulation.clockMs())
    return minted ? json(200, minted) : json(400, { error: 'invalid_client' })
  }

  return (incoming: Incoming): ApiResponse | Promise<ApiResponse> => {
    const { pathname } = incoming.url
    if (pathname === TOKEN_PATH) return handleToken(incoming)
    if (pathname.startsWith(`${API_PATH}/`)) return handleApi(incoming)
    if (pathname.startsWith(`${CONTROL_PATH}/`)) {
      const body = incoming.text === '' ? undefined : parseBody(incoming.text)
      return handleControl(simulation, incoming.method, pathname.slice(CONTROL_PATH.length), body)
    }
    return fail(404, 'Not found.')
  }
}

const hangUntilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const serve = async (
  respond: ReturnType<typeof createResponder>,
  request: IncomingMessage,
  response: ServerResponse,
) => {
  const caller = new AbortController()
  response.on('close', () => caller.abort())
  let result: ApiResponse
  try {
    result = await respond({
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', 'http://127.0.0.1'),
      authorization: request.headers.authorization,
      text: await readText(request),
      signal: caller.signal,
    })
  } catch (error) {
    if (caller.signal.aborted) return
    result = error instanceof RequestError ? error.toResponse() : fail(500, 'Internal server error.')
    if (!(error instanceof RequestError)) console.error(error)
  }
  response.writeHead(result.status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(result.body)
}

const readText = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new RequestError(413, 'The request is too big.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError(400, 'The request body is not JSON.')
  }
}
