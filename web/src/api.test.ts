import { expect, test } from 'vitest'
import { identity } from '#contract/identity.ts'
import { tenants } from '#contract/tenants.ts'
import { call, renewAccess } from './api.ts'
import { setConfirmationQuestion } from './reauthentication.ts'
import { setUpBrowser } from './testing/browser.ts'
import { tokens } from './tokens.ts'

const browser = setUpBrowser()

const user = { customerName: 'Ada', email: 'ada@example.com', role: 'user', newUser: false, mustAddFactor: false }
const isRefresh = ({ url }: Request) => url.endsWith('/token/refresh/')
const readBearer = (request: Request) => request.headers.get('authorization')
const refuse = (status: number, error = 'refused') => Response.json({ error, message: 'No.' }, { status })

/** Accepts the token `new` only; `refresh` defines what a refresh returns. */
const acceptNewToken = (refresh: () => Response) =>
  browser.respondWith((request) => {
    if (isRefresh(request)) return refresh()
    return readBearer(request) === 'Bearer new' ? Response.json(user) : refuse(401)
  })

test('renews an expired access token once and repeats the call with the new one', async () => {
  tokens.store({ access: 'old', refresh: 'secret' })
  acceptNewToken(() => Response.json({ access: 'new' }))
  expect(await call(identity.verifyToken, {})).toEqual(user)
  expect(browser.requests.map((request) => isRefresh(request) || readBearer(request))).toEqual([
    'Bearer old',
    true,
    'Bearer new',
  ])
  expect([tokens.access, tokens.refresh]).toEqual(['new', 'secret'])
})

test('refreshes once for calls that fail at the same time', async () => {
  tokens.store({ access: 'old', refresh: 'secret' })
  acceptNewToken(() => Response.json({ access: 'new' }))
  await Promise.all([call(identity.verifyToken, {}), call(identity.verifyToken, {}), call(identity.verifyToken, {})])
  expect(browser.requests.filter(isRefresh)).toHaveLength(1)
})

test.each([408, 429, 500, 503])('keeps the tokens when the refresh fails with %i', async (status) => {
  tokens.store({ access: 'old', refresh: 'secret' })
  acceptNewToken(() => refuse(status))
  await expect(call(identity.verifyToken, {})).rejects.toMatchObject({ status })
  expect([tokens.access, tokens.refresh]).toEqual(['old', 'secret'])
})

test('keeps the tokens when the network fails during the refresh', async () => {
  tokens.store({ access: 'old', refresh: 'secret' })
  acceptNewToken(() => {
    throw new TypeError('Failed to fetch')
  })
  await expect(call(identity.verifyToken, {})).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  expect([tokens.access, tokens.refresh]).toEqual(['old', 'secret'])
})

test.each([400, 401, 403])('clears the tokens when the refresh is refused with %i', async (status) => {
  tokens.store({ access: 'old', refresh: 'secret' })
  acceptNewToken(() => refuse(status))
  await expect(call(identity.verifyToken, {})).rejects.toMatchObject({ status: 401 })
  expect([tokens.access, tokens.refresh]).toEqual([null, null])
})

test('clears the access token without a request when there is no refresh token', async () => {
  tokens.store({ access: 'old' })
  expect(await renewAccess('old')).toBeNull()
  expect(tokens.access).toBeNull()
  expect(browser.requests).toEqual([])
})

test('uses the token that another tab has renewed in the meantime', async () => {
  tokens.store({ access: 'new', refresh: 'secret' })
  expect(await renewAccess('old')).toBe('new')
  expect(browser.requests).toEqual([])
})

test('asks for the password once for calls that need it confirmed, and repeats them', async () => {
  tokens.store({ access: 'a', refresh: 'secret' })
  let isConfirmed = false
  let questions = 0
  browser.respondWith(() => (isConfirmed ? Response.json(user) : refuse(403, 'reauthenticate')))
  const unset = setConfirmationQuestion(async () => {
    questions++
    isConfirmed = true
    return true
  })
  expect(await Promise.all([call(identity.verifyToken, {}), call(identity.verifyToken, {})])).toEqual([user, user])
  expect(questions).toBe(1)
  unset()
})

test('a call whose confirmation was canceled fails with the message of the server', async () => {
  tokens.store({ access: 'a', refresh: 'secret' })
  browser.respondWith(() => refuse(403, 'reauthenticate'))
  const unset = setConfirmationQuestion(async () => false)
  await expect(call(identity.verifyToken, {})).rejects.toMatchObject({ status: 403, code: 'reauthenticate' })
  expect(browser.requests).toHaveLength(1)
  unset()
})

test('sends no token with a public call and does not renew after its 401', async () => {
  tokens.store({ access: 'old', refresh: 'secret' })
  browser.respondWith(() => refuse(401))
  await expect(call(tenants.config, {})).rejects.toMatchObject({ status: 401 })
  expect(browser.requests.map(readBearer)).toEqual([null])
})
