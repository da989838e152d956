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

/** One call of each HTTP method but GET, as a signed-in user. */
const listCallsWithBody = () => {
  const routes = (Object.values(api) as RouteTable[]).flatMap((table) => Object.values(table))
  const byMethod = Map.groupBy(
    routes.filter(({ access, media, method }) => access !== 'public' && media === undefined && method !== 'GET'),
    ({ method }) => method,
  )
  return [...byMethod].map(([method, each]) => ({
    method,
    path: `/api${(each[0] as (typeof routes)[number]).path.replace(/:\w+/g, '15')}`,
  }))
}

/** How many requests wait for a lock of the table. */
const countBlocked = async () =>
  (await superuser.query(`select from ${OWN_LOCKS} where not granted and relation = 'saved_views'::regclass`)).rowCount

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

// A busy machine sheds requests, in particular of a process that has just started.
const SHED = 503

const fetchOnceServed = async (url: string, headers: Record<string, string>) => {
  let response = await fetch(url, { headers })
  while (response.status === SHED) {
    await response.body?.cancel()
    await pause(100)
    response = await fetch(url, { headers })
  }
  return response
}

/** A request whose body stays incomplete until it is finished. */
const holdOpen = (method: string, url: string, headers: Record<string, string>) => {
  let isFinished = false
  let sent = sendHalf(method, url, headers)
  const untilServed = async (): Promise<Answer> => {
    const answer = await sent.response
    if (answer.status !== SHED || isFinished) return answer
    await pause(100)
    sent = sendHalf(method, url, headers)
    return untilServed()
  }
  const finish = () => {
    isFinished = true
    sent.finish()
  }
  return { response: untilServed(), finish }
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

  const calls = listCallsWithBody()
  expect(calls.map(({ method }) => method).sort()).toEqual(expect.arrayContaining(['DELETE', 'PATCH', 'POST', 'PUT']))
  // Calls with a body stay in flight until the rest of it is sent, and one without a body until it gets its lock.
  const open = calls.map(({ method, path }) => holdOpen(method, `${url}${path}`, headers))
  await superuser.query('begin; lock table saved_views in access exclusive mode')
  const blocked = fetchOnceServed(`${url}/api/saved-views/`, headers)
  await expect.poll(countBlocked).toBeGreaterThan(0)

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
  expect(answers).toHaveLength(calls.length + 1)
  expect(answers.filter(({ status, connection }) => status >= 500 || connection !== 'close')).toEqual([])
  expect(await exited).toEqual([0, null])
})

test('a request that waits for the database longer than a process may take to stop is cut off, and the exit code is 0', async () => {
  const { access } = await server.signIn('a')
  const { child, exited, url } = await startServing()
  await expect.poll(() => readReadiness(url)).toBe(200)
  await superuser.query('begin; lock table saved_views in access exclusive mode')
  const headers = { 'x-tenant': 'a', authorization: `Bearer ${access}` }
  const blocked = fetchOnceServed(`${url}/api/saved-views/`, headers).then(
    ({ status }) => status,
    () => 'cut off',
  )
  await expect.poll(countBlocked).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await blocked).toBe('cut off')
  expect(await exited).toEqual([0, null])
  await superuser.query('rollback')
})
