import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { setTestHashing } from '../testing/hashing.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { getHashQueue, setHashing } from './passwords.ts'
import { consume } from './rate-limits.ts'
import { listSignInLimits } from './sign-in-limits.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const signIn = (tenant: string, email: string, password: string, remoteAddress: string) =>
  server.app.inject({
    method: 'POST',
    url: '/api/user/login/',
    headers: { host: `${tenant}.example` },
    remoteAddress,
    payload: { email, password },
  })

/** Failing sign-ins to one account of tenant `a`, each from a different network; the first blocks during its turn. */
const startFlood = async (count: number) => {
  const email = 'guessed@mail.example'
  const { database, clock } = server
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let onLocked = () => {}
  const locked = new Promise<void>((resolve) => {
    onLocked = resolve
  })
  // The account's counter stays locked, so an attempt that counts against it blocks while it holds a connection.
  const holding = database.transaction({ tenantId: 'a' }, async (db) => {
    await consume(db, 'a', listSignInLimits(email, '100.64.0.1', false), clock.now)
    onLocked()
    await released
  })
  await locked
  const tries = Array.from({ length: count }, (_, index) => signIn('a', email, 'Wrong-pass-1', `100.64.${index + 1}.1`))
  const stop = async () => {
    release()
    await holding
    return (await Promise.all(tries)).map(({ statusCode }) => statusCode)
  }
  onTestFinished(async () => {
    await stop()
  })
  return stop
}

const readMetric = async (name: string) => {
  const { body } = await server.call('a', 'GET', '/metrics')
  const line = String(body)
    .split('\n')
    .find((each) => each.startsWith(`${name} `))
  return line && Number(line.slice(name.length + 1))
}

test('tries wait for their turn without a connection, so that other tenants have them', async () => {
  const { pool } = server.database
  await server.addUser('b', { email: 'neighbor@mail.example' })
  const stop = await startFlood(3 * pool.options.max)
  await expect
    .poll(() => ({
      waiting: getHashQueue().countWaiting('stranger'),
      connections: pool.totalCount - pool.idleCount,
      waitingForOne: pool.waitingCount,
    }))
    // One connection holds the lock, and one waits for it.
    .toEqual({ waiting: 3 * pool.options.max - 1, connections: 2, waitingForOne: 0 })
  expect((await signIn('b', 'neighbor@mail.example', PASSWORD, '192.0.2.80')).statusCode).toBe(200)
  expect(await stop()).toEqual(Array(3 * pool.options.max).fill(401))
})

test('/metrics reports password checks that wait, run and were refused', async () => {
  const stop = await startFlood(4)
  await expect.poll(() => readMetric('password_hashes_waiting{lane="stranger"}')).toBe(3)
  expect(await readMetric('password_hashes_running{lane="stranger"}')).toBe(1)
  expect(await readMetric('password_hashes_waiting{lane="known"}')).toBe(0)
  await stop()
  expect(await readMetric('password_hashes_running{lane="stranger"}')).toBe(0)

  const readRefused = () => readMetric('password_hashes_refused_total{lane="stranger",reason="full"}')
  setHashing({ maxConcurrent: 0, maxWaiting: 0 })
  onTestFinished(setTestHashing)
  expect(await readRefused()).toBe(0)
  expect((await signIn('a', 'guessed@mail.example', 'Wrong-pass-1', '192.0.2.81')).statusCode).toBe(503)
  expect(await readRefused()).toBe(1)
})
