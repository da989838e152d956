import { afterEach, expect, test, vi } from 'vitest'
import { cacheList, clearListCache, findCachedList, findSessionId } from './list-cache.ts'
import { createToken, setUpBrowser } from './testing/browser.ts'
import { tokens } from './tokens.ts'

setUpBrowser()
afterEach(() => void vi.useRealTimers())

const path = '/terminals/'
const body = { data: [{ id: '1' }] }
const signIn = (session: string) => tokens.store({ access: createToken({ session }) })

test('returns the list of the same session, also after its token was renewed', async () => {
  signIn('a')
  await cacheList(path, findSessionId(), body)
  tokens.store({ access: createToken({ session: 'a', exp: 2 }) })
  expect(await findCachedList(path)).toMatchObject({ session: 'a', body })
})

test('does not return the list of another session, and purges it', async () => {
  signIn('a')
  await cacheList(path, findSessionId(), body)
  signIn('b')
  expect(await findCachedList(path)).toBeUndefined()
  signIn('a')
  expect(await findCachedList(path)).toBeUndefined()
})

test('does not return a list to a signed-out user', async () => {
  signIn('a')
  await cacheList(path, findSessionId(), body)
  tokens.dropAccess()
  expect(await findCachedList(path)).toBeUndefined()
})

test('does not store a list without a session to bind it to', async () => {
  tokens.store({ access: 'unreadable' })
  await cacheList(path, findSessionId(), body)
  expect(await caches.has('dishboard:lists')).toBe(false)
})

test('purges a list after an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  signIn('a')
  await cacheList(path, findSessionId(), body)
  vi.advanceTimersByTime(60 * 60_000 - 1)
  expect(await findCachedList(path)).toBeDefined()
  vi.advanceTimersByTime(1)
  expect(await findCachedList(path)).toBeUndefined()
})

test('stores up to 5,000 terminals', async () => {
  signIn('a')
  await cacheList(path, findSessionId(), { data: Array(5001).fill(0) })
  expect(await findCachedList(path)).toBeUndefined()
  await cacheList(path, findSessionId(), { data: Array(5000).fill(0) })
  expect(await findCachedList(path)).toBeDefined()
})

test('works without a cache, as on an origin without TLS', async () => {
  vi.stubGlobal('caches', undefined)
  signIn('a')
  await cacheList(path, findSessionId(), body)
  expect(await findCachedList(path)).toBeUndefined()
  await clearListCache()
})
