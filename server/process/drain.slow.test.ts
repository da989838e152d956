import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { RouteTable } from '#contract/route.ts'
import { TEST_SECRET_KEY } from '../testing/database.ts'
import { findFreePort } from '../testing/find-free-port.ts'
import { OWN_LOCKS } from '../testing/own-locks.ts'
import { startTestServer } from '../testing/server.ts'

const entry = fileURLToPath(new URL('./main.ts', import.meta.url))

const server = await startTestServer()
const superuser = await server.connectSuperuser()
beforeAll(async () => {
  await server.addUser('a', { role: 'admin' })
})
let started: ChildProcess | undefined
afterAll(async () => {
  started?.kill('SIGKILL')
  await server.close()
})

const startServing = async () => {
  const { host = '', user = '', database = '' } = server.runtime
  const port = await findFreePort()
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      SECRET_KEY: TEST_SECRET_KEY,
      // Long enough to observe the 503 on a busy machine before the port closes.
      DRAIN_SECONDS: '3',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  started = child
  return { child, exited: once(child, 'exit'), url: `http://127.0.0.1:${port}` }
}

const readReadiness = async (url: string) => {
  try {
    return (await fetch(`${url}/readyz`)).status
  } catch {
    return 'refused'
  }
}

/** One call of each HTTP method, as a signed-in user. */
const listCalls = () => {
  const routes = (Object.values(api) as RouteTable[]).flatMap((table) => Object.values(table))
  const byMethod = Map.groupBy(
    routes.filter(({ access, media }) => access !== 'public' && media === undefined),
    ({ method }) => method,
  )
  return [...byMethod].map(([method, each]) => ({
    method,
    path: `/api${(each[0] as (typeof routes)[number]).path.replace(/:\w+/g, '15')}`,
  }))
}

/** How many statements wait for a lock of the table. */
const countBlocked = async (table: string) =>
  (await superuser.query(`select from ${OWN_LOCKS} where not granted and relation = $1::regclass`, [table])).rowCount

interface Answer {
  status: number
  connection: string | null | undefined
}

/** Sends the headers and the first half of the body `{}`. */
const sendHalf = (method: string, url: string, headers: Record<string, string>) => {
  const sending = request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': 2 },
  })
  const response = new Promise<Answer>((resolve, reject) => {
    sending
      .on('response', ({ statusCode = 0, headers: { connection } }) => resolve({ status: statusCode, connection }))
      .on('error', reject)
  })
  sending.write('{')
  return { response, finish: () => sending.end('}') }
}

/** A process that has just started on a busy machine may shed requests for a moment. */
const fetchOnceServed = async (url: string, headers: Record<string, string>) => {
  let response = await fetch(url, { headers })
  while (response.status === 503) {
    await response.body?.cancel()
    await pause(100)
    response = await fetch(url, { headers })
  }
  return response
}

/** One request after the other, so that one is always on its way; returns their statuses. */
const visitUntilRefused = async (url: string) => {
  const statuses: number[] = []
  for (;;)
    try {
      const response = await fetch(`${url}/login`)
      await response.body?.cancel()
      statuses.push(response.status)
    } catch {
      return statuses
    }
}

test('a process that is stopped responds to every request in flight, sends streams elsewhere, and exits with 0', async () => {
  const { access } = await server.signIn('a')
  const { child, exited, url } = await startServing()
  await expect.poll(() => readReadiness(url)).toBe(200)
  const headers = { 'x-tenant': 'a', authorization: `Bearer ${access}` }
  const stream = await fetchOnceServed(`${url}/api/live/`, headers)
  expect(stream.status).toBe(200)
  const streamed = stream.text()

  const calls = listCalls()
  expect(calls.map(({ method }) => method).sort()).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PATCH', 'POST']))
  // Calls with a body stay in flight until the rest of it is sent; a call without one, until it gets its lock.
  const open = calls
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => sendHalf(method, `${url}${path}`, headers))
  const get = () => fetch(`${url}${calls.find(({ method }) => method === 'GET')?.path}`, { headers })
  expect((await get()).status).toBeLessThan(500)
  await superuser.query('begin; lock table sessions, users in access exclusive mode')
  const blocked = get()
  await expect.poll(() => countBlocked('sessions')).toBeGreaterThan(0)

  const visits = Promise.all([visitUntilRefused(url), visitUntilRefused(url)])
  child.kill('SIGTERM')
  await expect.poll(() => readReadiness(url), { interval: 5 }).toBe(503)
  // A proxy keeps its connections until the port is closed: a new one might arrive at the moment in which it closes.
  const late = await fetch(`${url}/healthz`)
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'keep-alive'])
  await expect.poll(() => readReadiness(url)).toBe('refused')
  expect((await visits).flat()).toContain(502)
  expect(await streamed).toMatch(/retry: \d+\n\n$/)
  expect(child.exitCode).toBeNull()
  await superuser.query('commit')

  for (const { finish } of open) finish()
  const unblocked = blocked.then(({ status, headers }): Answer => ({ status, connection: headers.get('connection') }))
  const answers = await Promise.all([unblocked, ...open.map(({ response }) => response)])
  expect(answers).toHaveLength(calls.length)
  expect(answers.filter(({ status, connection }) => status >= 500 || connection !== 'close')).toEqual([])
  expect(await exited).toEqual([0, null])
})

test('a request that waits for the database longer than a process may take to stop is cut off, and the exit code is 0', async () => {
  const { access } = await server.signIn('a')
  const { child, exited, url } = await startServing()
  await expect.poll(() => readReadiness(url)).toBe(200)
  await superuser.query('begin; lock table saved_views in access exclusive mode')
  const headers = { 'x-tenant': 'a', authorization: `Bearer ${access}` }
  const blocked = fetch(`${url}/api/saved-views/`, { headers }).then(
    ({ status }) => status,
    () => 'cut off',
  )
  await expect.poll(() => countBlocked('saved_views')).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await blocked).toBe('cut off')
  expect(await exited).toEqual([0, null])
  await superuser.query('rollback')
})
