import { afterEach, expect, test, vi } from 'vitest'
import { identity } from '#contract/identity.ts'
import { call } from './api.ts'
import { callOrCached } from './cached-call.ts'
import { onContact } from './contact.ts'
import { createToken, setUpBrowser } from './testing/browser.ts'
import { waitFor } from './testing/wait-for.ts'
import { tokens } from './tokens.ts'

const browser = setUpBrowser()
afterEach(() => void vi.useRealTimers())

const user = { customerName: 'Ada', email: 'ada@example.com', role: 'user', newUser: false, mustAddFactor: false }
const readUser = () => callOrCached(identity.verifyToken, {})

/** Signs in and receives one response, which is cached. */
const visit = async () => {
  tokens.store({ access: createToken({ session: 'a' }) })
  browser.respondWith(() => Response.json(user))
  expect(await readUser()).toEqual(user)
  await waitFor(async () => expect(await caches.has('dishboard:responses')).toBe(true))
}
const loseConnection = () => browser.respondWith(() => Promise.reject(new TypeError('Failed to fetch')))

test('without contact, returns the last response of the session with its time', async () => {
  await visit()
  for (const lose of [loseConnection, () => browser.respondWith(() => new Response('Bad gateway', { status: 502 }))]) {
    lose()
    expect(await readUser()).toEqual({ ...user, asOfMs: expect.any(Number) })
  }
})

test('a refusal, a failure of the server and a busy server are no loss of contact', async () => {
  await visit()
  for (const [status, error] of [
    [403, 'forbidden'],
    [500, 'internal'],
    [503, 'busy'],
  ] as const) {
    browser.respondWith(() => Response.json({ error, message: 'No.' }, { status }))
    await expect(readUser()).rejects.toMatchObject({ status })
  }
})

test('without contact and without a response of this session, the failure is reported', async () => {
  await visit()
  loseConnection()
  tokens.store({ access: createToken({ session: 'b' }) })
  await expect(readUser()).rejects.toMatchObject({ status: 0 })
})

test('a server that stays silent is as good as none, and its response counts when it comes', async () => {
  await visit()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const late = Promise.withResolvers<Response>()
  browser.respondWith(() => late.promise)
  const reading = readUser()
  await vi.advanceTimersByTimeAsync(8000)
  expect(await reading).toHaveProperty('asOfMs')
  const reached = vi.fn()
  onContact(reached)
  late.resolve(Response.json(user))
  vi.useRealTimers()
  await waitFor(() => expect(reached).toHaveBeenCalledOnce())
})

test('reports contact once after older responses were shown', async () => {
  await visit()
  const reached = vi.fn()
  onContact(reached)
  loseConnection()
  await readUser()
  expect(reached).not.toHaveBeenCalled()
  browser.respondWith(() => Response.json(user))
  await call(identity.verifyToken, {})
  await call(identity.verifyToken, {})
  expect(reached).toHaveBeenCalledOnce()
})
