import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { cacheResponse, findSessionId } from './response-cache.ts'
import { clearCachesOnSignOut, logOut, replaceSession, sessionQuery } from './session.ts'
import { createToken, setUpBrowser } from './testing/browser.ts'
import { waitFor } from './testing/wait-for.ts'
import { tokens } from './tokens.ts'

const browser = setUpBrowser()

const user = { customerName: 'Ada', email: 'ada@example.com', role: 'user', newUser: false, mustAddFactor: false }
const refuse = (status: number) => Response.json({ error: 'refused', message: 'No.' }, { status })

/** A signed-in tab that has loaded its tenant, its user and a list. */
const openTab = async () => {
  tokens.store({ access: createToken({ session: 'a' }), refresh: 'secret' })
  const queries = new QueryClient()
  queries.setQueryData(['tenant'], { kind: 'known' })
  queries.setQueryData(['session'], user)
  queries.setQueryData(['fleet'], { terminals: [] })
  await cacheResponse('/terminals/', findSessionId(), { data: [] })
  clearCachesOnSignOut(queries)
  const listQueries = () =>
    queries
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[0])
  return { listQueries }
}

test('clears everything but the tenant on sign-out', async () => {
  const { listQueries } = await openTab()
  tokens.dropAccess()
  expect(listQueries()).toEqual(['tenant'])
  await waitFor(async () => expect(await caches.has('dishboard:responses')).toBe(false))
})

test('clears everything but the tenant when another tab signs out', async () => {
  const { listQueries } = await openTab()
  localStorage.removeItem('access')
  browser.reportStorageChange()
  expect(listQueries()).toEqual(['tenant'])
  await waitFor(async () => expect(await caches.has('dishboard:responses')).toBe(false))
})

test('clears everything but the tenant when another tab continues with another session', async () => {
  const { listQueries } = await openTab()
  localStorage.setItem('access', createToken({ session: 'b' }))
  browser.reportStorageChange()
  expect(listQueries()).toEqual(['tenant'])
  await waitFor(async () => expect(await caches.has('dishboard:responses')).toBe(false))
})

test('clears nothing when the access token is renewed', async () => {
  const { listQueries } = await openTab()
  tokens.store({ access: createToken({ session: 'a', exp: 2 }) })
  expect(listQueries()).toEqual(['tenant', 'session', 'fleet'])
  expect(await caches.has('dishboard:responses')).toBe(true)
})

test.each([
  ['the server ends the session', () => Response.json({ success: true })],
  ['the server fails', () => refuse(503)],
  [
    'the network fails',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
])('logs out in this browser when %s', async (_case, respond) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await openTab()
  browser.respondWith(respond)
  await logOut()
  expect([tokens.access, tokens.refresh]).toEqual([null, null])
  expect(browser.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/api/logout/'])
})

const runSessionQuery = () => new QueryClient().fetchQuery({ ...sessionQuery, retry: false })

test('renews an expired token before it verifies the session', async () => {
  tokens.store({ access: createToken({ exp: 1 }), refresh: 'secret' })
  browser.respondWith(({ url }) => Response.json(url.endsWith('/token/refresh/') ? { access: 'new' } : user))
  expect(await runSessionQuery()).toEqual(user)
  expect(browser.requests.map(({ url }) => new URL(url).pathname)).toEqual([
    '/api/token/refresh/',
    '/api/verify-token/',
  ])
})

test('signs out when the server refuses the session', async () => {
  tokens.store({ access: 'old', refresh: 'secret' })
  browser.respondWith(() => refuse(403))
  await expect(runSessionQuery()).rejects.toMatchObject({ status: 403 })
  expect([tokens.access, tokens.refresh]).toEqual([null, null])
})

test('stays signed in and retries while the server is unreachable', async () => {
  tokens.store({ access: 'old', refresh: 'secret' })
  browser.respondWith(() => refuse(503))
  const failure = await runSessionQuery().catch((error: Error) => error)
  expect(failure).toMatchObject({ status: 503 })
  expect(tokens.access).toBe('old')
  expect(sessionQuery.retry).toBeTypeOf('function')
  if (typeof sessionQuery.retry === 'function') expect(sessionQuery.retry(100, failure as Error)).toBe(true)
})

test('signing in over a live session ends it on the server and clears what it had loaded', async () => {
  const { listQueries } = await openTab()
  const before = tokens.access
  browser.respondWith(() => Response.json({ success: true, message: 'You are signed out.' }))
  await replaceSession({ access: createToken({ session: 'b' }), refresh: 'other' })
  expect(browser.requests.map(({ url, headers }) => [new URL(url).pathname, headers.get('authorization')])).toEqual([
    ['/api/logout/', `Bearer ${before}`],
  ])
  expect(findSessionId()).toBe('b')
  expect(tokens.refresh).toBe('other')
  expect(listQueries()).toEqual(['tenant'])
})

test('signing in without a live session ends none', async () => {
  await replaceSession({ access: createToken({ session: 'b' }), refresh: 'other' })
  expect(browser.requests).toEqual([])
  expect(findSessionId()).toBe('b')
})
