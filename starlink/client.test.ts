import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { RequestEvent } from './caller.ts'
import { createStarlinkClient } from './client.ts'
import { StarlinkError } from './errors.ts'
import { createRequestBudget } from './request-budget.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const ok = (content: unknown) => JSON.stringify({ errors: [], warnings: [], information: [], isValid: true, content })
const ACCOUNT = ok({ accountNumber: 'ACC-1', regionCode: 'US', accountName: 'One', activeSuspensions: null })

/** A vendor whose calls the given handler serves. It issues the tokens t1, t2, … */
const startVendor = async (handle: Handler, options: { tokenStatus?: number; livesS?: number } = {}) => {
  const seen: string[] = []
  let tokens = 0
  let calls = 0
  const server = createServer((request, response) => {
    if (request.url === '/token') {
      tokens++
      response.writeHead(options.tokenStatus ?? 200)
      response.end(JSON.stringify({ access_token: `t${tokens}`, expires_in: options.livesS ?? 900 }))
      return
    }
    seen.push(`${request.method} ${request.url}`)
    handle(request, response, ++calls)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const pausesMs: number[] = []
  const events: RequestEvent[] = []
  const tokenUrl = `http://127.0.0.1:${port}/token`
  const client = createStarlinkClient({
    baseUrl: `http://127.0.0.1:${port}/v2/`,
    tokenUrl,
    clientId: 'client-x',
    clientSecret: 'secret-y',
    budget: createRequestBudget(),
    sleep: async (ms) => {
      pausesMs.push(ms)
    },
    onRequest: (event) => events.push(event),
  })
  return { client, tokenUrl, seen, pausesMs, events, mintedTokens: () => tokens }
}

test('concurrent callers share one token', async () => {
  const { client, mintedTokens } = await startVendor((_, response) => response.end(ACCOUNT))
  await Promise.all([client.getAccount(), client.getAccount(), client.getAccount()])
  await client.getAccount()
  expect(mintedTokens()).toBe(1)
})

test('renews a token shortly before it expires', async () => {
  const used: (string | undefined)[] = []
  const { client } = await startVendor(
    (request, response) => {
      used.push(request.headers.authorization)
      response.end(ACCOUNT)
    },
    { livesS: 0 },
  )
  await client.getAccount()
  await client.getAccount()
  expect(used).toEqual(['Bearer t1', 'Bearer t2'])
})

test('replaces a refused token and repeats the call once, also for commands', async () => {
  const { client, seen } = await startVendor((request, response) => {
    response.statusCode = request.headers.authorization === 'Bearer t1' ? 401 : 200
    response.end(ok(undefined))
  })
  await client.rebootTerminal('ut 1')
  expect(seen).toEqual(['POST /v2/user-terminals/ut%201/reboot', 'POST /v2/user-terminals/ut%201/reboot'])
})

test('fails after a second refusal', async () => {
  const { client, seen } = await startVendor((_, response) => response.writeHead(401).end())
  await expect(client.getAccount()).rejects.toMatchObject({ status: 401, failure: 'rejected', fate: 'refused' })
  expect(seen).toHaveLength(2)
})

test.each([429, 500, 503])('retries a query after %d with growing pauses', async (status) => {
  const { client, seen, pausesMs } = await startVendor((_, response, nth) =>
    nth < 4 ? response.writeHead(status).end() : response.end(ACCOUNT),
  )
  expect(await client.getAccount()).toMatchObject({ accountNumber: 'ACC-1', activeSuspensions: [] })
  expect(seen).toHaveLength(4)
  for (const [nth, pauseMs] of pausesMs.entries()) {
    expect(pauseMs).toBeGreaterThanOrEqual(500 * 2 ** nth)
    expect(pauseMs).toBeLessThanOrEqual(1000 * 2 ** nth)
  }
})

test('limits the number of attempts and reports each one', async () => {
  const { client, seen, events } = await startVendor((_, response) => response.writeHead(500).end())
  await expect(client.getAccount()).rejects.toMatchObject({ failure: 'failing', status: 500 })
  expect(seen).toHaveLength(5)
  expect(events.map(({ attempt, retryInMs }) => [attempt, retryInMs !== null])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, true],
    [5, false],
  ])
})

test('sends a command that costs money or disrupts once, and its error says whether it may have arrived', async () => {
  const { client, seen } = await startVendor((request, response) => {
    if (request.url?.endsWith('top-up')) response.destroy()
    else if (request.url?.endsWith('reboot')) response.writeHead(500).end()
    else response.writeHead(429).end()
  })
  await expect(client.topUp('SL-1', { productId: 'p', count: 1 })).rejects.toMatchObject({ fate: 'unknown' })
  await expect(client.rebootTerminal('1')).rejects.toMatchObject({ fate: 'unknown' })
  await expect(client.optIn('SL-1')).rejects.toMatchObject({ fate: 'refused' })
  expect(seen).toHaveLength(3)
})

test('reports a command as not sent when there was no token', async () => {
  const { client, seen } = await startVendor((_, response) => response.end(ok(undefined)), { tokenStatus: 503 })
  await expect(client.topUp('SL-1', { productId: 'p', count: 1 })).rejects.toMatchObject({
    fate: 'refused',
    failure: 'failing',
  })
  expect(seen).toEqual([])
})

test('reports a command as not executed when the vendor cannot be reached', async () => {
  const { tokenUrl } = await startVendor((_, response) => response.end())
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const baseUrl = `http://127.0.0.1:${port}`
  const client = createStarlinkClient({ baseUrl, tokenUrl, clientId: 'client-x', clientSecret: 'secret-y' })
  await expect(client.rebootTerminal('1')).rejects.toMatchObject({ failure: 'unreachable', fate: 'refused' })
})

test('messages of the vendor are bounded, and on one line each', async () => {
  const errors = Array(1_000).fill({ errorMessage: `Taken.\n\u202e${'x'.repeat(1_000)}` })
  const body = JSON.stringify({ errors, isValid: false })
  const { client } = await startVendor((_, response) => response.end(body))
  const { messages } = await client.setNickname('SL-1', 'Boat').catch((error) => error)
  expect(messages).toEqual(Array(10).fill(`Taken. ${'x'.repeat(292)}`))
})

test.each([200, 422])('throws the vendor’s messages for isValid false with status %d', async (status) => {
  const body = { errors: [{ memberNames: ['Nickname'], errorMessage: 'Nickname is taken.' }], isValid: false }
  const { client, seen } = await startVendor((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  await expect(client.setNickname('SL-1', 'x')).rejects.toMatchObject({
    failure: 'rejected',
    fate: 'refused',
    messages: ['Nickname is taken.'],
  })
  expect(seen).toHaveLength(1)
})

test('throws for a response without an envelope', async () => {
  const { client } = await startVendor((_, response) => response.end('<html>maintenance</html>'))
  await expect(client.getAccount()).rejects.toMatchObject({ failure: 'malformed' })
})

test('reports a wrong secret as such, and no error contains it or a token', async () => {
  const { client } = await startVendor((_, response) => response.end(), { tokenStatus: 400 })
  const error = await client.getAccount().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StarlinkError)
  expect(error).toMatchObject({ failure: 'credentials' })
  const shown = `${error} ${(error as Error).stack} ${JSON.stringify(error)}`
  expect(shown).not.toMatch(/secret-y|Bearer|t1/)
})

const product = (nth: number) => ({ productReferenceId: `p${nth}`, name: `Plan ${nth}`, price: 1, isSla: false })
const page = (pageIndex: number, isLastPage: boolean, totalCount: number, ...results: unknown[]) =>
  ok({ pageIndex, limit: 2, isLastPage, results, totalCount })

test('reads all pages and reconciles by id when the order changes between them', async () => {
  const responses = [
    page(0, false, 4, product(1), product(2)),
    page(1, true, 4, product(2), product(3)),
    page(0, false, 4, product(4), product(1)),
    page(1, true, 4, product(2), product(3)),
  ]
  const { client } = await startVendor((_, response, nth) => response.end(responses[nth - 1]))
  const { items, complete } = await client.listProducts()
  expect(items.map(({ productReferenceId }) => productReferenceId).sort()).toEqual(['p1', 'p2', 'p3', 'p4'])
  expect(complete).toBe(true)
})

test('marks a list as incomplete when its count never matches', async () => {
  const { client, seen } = await startVendor((_, response) => response.end(page(0, true, 3, product(1), product(2))))
  expect(await client.listProducts()).toMatchObject({ complete: false, items: [{}, {}] })
  expect(seen).toHaveLength(3)
})

test('skips an unreadable item and returns the others', async () => {
  const { client } = await startVendor((_, response) => response.end(page(0, true, 2, { name: 'no id' }, product(2))))
  const { items, complete } = await client.listProducts()
  expect(items.map(({ name }) => name)).toEqual(['Plan 2'])
  expect(complete).toBe(false)
})

test('preserves unknown fields and sets missing fields to null', async () => {
  const { client } = await startVendor((_, response) => response.end(page(0, true, 1, { ...product(1), newThing: 7 })))
  const { items } = await client.listProducts()
  expect(items[0]).toMatchObject({ newThing: 7, maxNumberOfUserTerminals: null, dataProducts: null })
})

test('returns the telemetry body exactly as it was sent', async () => {
  const body = '{"data": {"values":[["u",1730564202000000001]]}, "note":"ġ"}'
  const { client } = await startVendor((_, response) => response.end(body))
  expect(await client.streamTelemetry({ batchSize: 10, maxLingerMs: 0 })).toBe(body)
})
