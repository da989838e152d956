import { afterEach, expect, test, vi } from 'vitest'
import {
  cachePublicResponse,
  cacheResponse,
  clearResponseCache,
  findCachedResponse,
  findPublicResponse,
  findSessionId,
} from './response-cache.ts'
import { createToken, setUpBrowser } from './testing/browser.ts'
import { tokens } from './tokens.ts'

setUpBrowser()
afterEach(() => void vi.useRealTimers())

const path = '/terminals/'
const body = { data: [{ id: '1' }] }
const signIn = (session: string) => tokens.store({ access: createToken({ session }) })

test('returns the list of the same session, also after its token was renewed', async () => {
  signIn('a')
  await cacheResponse(path, findSessionId(), body)
  tokens.store({ access: createToken({ session: 'a', exp: 2 }) })
  expect(await findCachedResponse(path)).toMatchObject({ session: 'a', body })
})

test('does not return the list of another session, and purges it', async () => {
  signIn('a')
  await cacheResponse(path, findSessionId(), body)
  signIn('b')
  expect(await findCachedResponse(path)).toBeUndefined()
  signIn('a')
  expect(await findCachedResponse(path)).toBeUndefined()
})

test('does not return a list to a signed-out user', async () => {
  signIn('a')
  await cacheResponse(path, findSessionId(), body)
  tokens.dropAccess()
  expect(await findCachedResponse(path)).toBeUndefined()
})

test('does not store a list without a session to bind it to', async () => {
  tokens.store({ access: 'unreadable' })
  await cacheResponse(path, findSessionId(), body)
  expect(await caches.has('dishboard:responses')).toBe(false)
})

test('purges a response after seven days', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  signIn('a')
  await cacheResponse(path, findSessionId(), body)
  vi.advanceTimersByTime(7 * 86_400_000 - 1)
  expect(await findCachedResponse(path)).toBeDefined()
  vi.advanceTimersByTime(1)
  expect(await findCachedResponse(path)).toBeUndefined()
})

test('does not return the responses of one tenant in a tab of another, and purges them', async () => {
  vi.stubGlobal('location', new URL('http://localhost/?tenant=a'))
  tokens.store({ access: createToken({ session: 's', tenant: 'a' }) })
  await cacheResponse(path, findSessionId(), body)
  expect(await findCachedResponse(path)).toBeDefined()
  location.search = '?tenant=b'
  expect(await findCachedResponse(path)).toBeUndefined()
  location.search = '?tenant=a'
  expect(await findCachedResponse(path)).toBeUndefined()
})

test('does not store a response that arrives after its session has ended', async () => {
  signIn('a')
  const session = findSessionId()
  signIn('b')
  await cacheResponse(path, session, body)
  expect(await caches.has('dishboard:responses')).toBe(false)
})

test('leaves the responses of the next session alone when one of the last arrives late', async () => {
  signIn('b')
  await cacheResponse(path, 'b', body)
  await cacheResponse('/late/', 'a', body)
  expect(await findCachedResponse(path)).toMatchObject({ session: 'b', body })
})

test('keeps the 120 responses that were written last', async () => {
  signIn('a')
  for (let each = 0; each < 120; each++) await cacheResponse(`/${each}`, findSessionId(), body)
  await cacheResponse('/0', findSessionId(), body)
  await cacheResponse('/120', findSessionId(), body)
  expect(await findCachedResponse('/0')).toBeDefined()
  expect(await findCachedResponse('/1')).toBeUndefined()
})

test('keeps what every visitor receives for each tenant of an origin', async () => {
  vi.stubGlobal('location', new URL('http://localhost/?tenant=a'))
  await cachePublicResponse('/config/', { company_name: 'A' })
  expect(await findPublicResponse('/config/')).toMatchObject({ body: { company_name: 'A' } })
  location.search = '?tenant=b'
  expect(await findPublicResponse('/config/')).toBeUndefined()
})

test('stores nothing where the operator has switched it off', async () => {
  document.querySelector = () => ({}) as Element
  signIn('a')
  await cacheResponse(path, findSessionId(), body)
  expect(await caches.has('dishboard:responses')).toBe(false)
})

test('works without a cache, as on an origin without TLS', async () => {
  vi.stubGlobal('caches', undefined)
  signIn('a')
  await cacheResponse(path, findSessionId(), body)
  expect(await findCachedResponse(path)).toBeUndefined()
  await clearResponseCache()
})
