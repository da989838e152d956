import { randomUUID } from 'node:crypto'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { BACKCHANNEL_LOGOUT_PATH } from '#contract/sso-paths.ts'
import { CLIENT, openProviderBrowser } from '../testing/openid-provider.ts'
import { startOtherProcess } from '../testing/other-process.ts'
import { setupSso } from '../testing/sso-stack.ts'

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const ME = '/api/verify-token/'
const sso = setupSso()

const announce = (token: string, tenant = 'a') =>
  sso.stack.server.app.inject({
    method: 'POST',
    url: BACKCHANNEL_LOGOUT_PATH,
    payload: new URLSearchParams({ logout_token: token }).toString(),
    headers: { host: `${tenant}.example`, 'content-type': 'application/x-www-form-urlencoded' },
  })

const nowS = () => Math.floor(Date.now() / 1000)

/** The claims of a valid logout token of the user. */
const buildClaims = (sub: string, change: JWTPayload = {}): JWTPayload => ({
  iss: sso.stack.provider.issuer,
  aud: CLIENT.client_id,
  iat: nowS(),
  exp: nowS() + 120,
  jti: randomUUID(),
  events: EVENTS,
  sub,
  ...change,
})

/** Whether the user of the token is signed in. */
const isSignedIn = async (token: string) => (await sso.stack.getMe(token)).status === 200

test('whoever signs out at the provider is signed out here at once, in every process, and only in that session', async () => {
  const { stack } = sso
  const other = await startOtherProcess(stack.server)
  const { name, email } = stack.addAccount()
  const browser = openProviderBrowser(stack.provider.issuer)
  const first = (await stack.signOn('a', name, browser)).body
  const second = (await stack.signOn('a', name)).body
  const { rows } = await stack.superuser.query(
    'select count(distinct provider_session)::int as count from sso_sessions where subject = $1',
    [name],
  )
  expect(rows).toEqual([{ count: 2 }])
  expect(await other.get(ME, first.access)).toBe(200)
  await browser.signOut(`${stack.provider.issuer}/session/end`)
  expect([await isSignedIn(first.access), await other.get(ME, first.access)]).toEqual([false, 401])
  expect((await stack.refresh(first.refresh)).status).toBe(401)
  expect([await isSignedIn(second.access), await other.get(ME, second.access)]).toEqual([true, 200])
  expect(await stack.listEvents('session_ended', email)).toEqual([{ reason: 'signed out at the provider' }])
  await other.close()
})

test('a provider that names the user alone ends all sessions of that user', async () => {
  const { stack } = sso
  await stack.setUp('a', { clientId: 'other' })
  const { name } = stack.addAccount()
  const browser = openProviderBrowser(stack.provider.issuer)
  const own = [(await stack.signOn('a', name, browser)).body, (await stack.signOn('a', name)).body]
  const foreign = (await stack.signOn('a', stack.addAccount().name)).body
  await browser.signOut(`${stack.provider.issuer}/session/end`)
  for (const { access } of own) expect(await isSignedIn(access)).toBe(false)
  expect(await isSignedIn(foreign.access)).toBe(true)
  // Sessions that began with a password are not affected by the provider.
  expect(await isSignedIn(sso.admin)).toBe(true)
})

test('a logout token counts once, and only at the tenant whose provider signed it', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const token = await stack.provider.sign(buildClaims(name))
  const accepted = await announce(token)
  expect([accepted.statusCode, accepted.headers['cache-control']]).toEqual([200, 'no-store'])
  const { body } = await stack.signOn('a', name)
  const repeated = await announce(token)
  expect([repeated.statusCode, repeated.json().error]).toEqual([400, 'invalid_request'])
  await stack.setUp('b', { clientId: 'other' })
  expect((await announce(await stack.provider.sign(buildClaims(name)), 'b')).statusCode).toBe(400)
  expect(await isSignedIn(body.access)).toBe(true)
  await stack.setUp('b')
})

test.each<[string, JWTPayload, string?]>([
  ['of another issuer', { iss: 'https://login.example' }],
  ['for another client', { aud: 'other' }],
  ['for several clients', { aud: ['dishboard', 'other'] }],
  ['with a nonce, as an ID token has', { nonce: 'nonce' }],
  ['without the event', { events: undefined }],
  ['with another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ['with an event that is no object', { events: { 'http://schemas.openid.net/event/backchannel-logout': true } }],
  ['without an id', { jti: undefined }],
  ['without its time', { iat: undefined }],
  ['without its end', { exp: undefined }],
  ['that has expired', { iat: nowS() - 240, exp: nowS() - 120 }],
  ['that is old though not expired', { iat: nowS() - 3600, exp: nowS() + 3600 }],
  ['of the future', { iat: nowS() + 3600, exp: nowS() + 7200 }],
  ['that names nobody', { sub: undefined }],
  ['with an id of the session that is no text', { sid: 1 as unknown as string }],
  ['that is an access token', {}, 'at+jwt'],
])('a logout token %s ends nothing', async (_, change, type) => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const { body } = await stack.signOn('a', name)
  const { statusCode } = await announce(await stack.provider.sign(buildClaims(name, change), type))
  expect([statusCode, await isSignedIn(body.access)]).toEqual([400, true])
})

test('a logout token that the provider has not signed ends nothing', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const { body } = await stack.signOn('a', name)
  const { privateKey } = await generateKeyPair('RS256')
  const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = [
    await new SignJWT(buildClaims(name)).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
    await new SignJWT(buildClaims(name))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(CLIENT.client_secret)),
    `${toPart({ alg: 'none' })}.${toPart(buildClaims(name))}.`,
    'no token',
    '',
  ]
  for (const token of forged) expect([token, (await announce(token)).statusCode]).toEqual([token, 400])
  expect(await isSignedIn(body.access)).toBe(true)
})

test('forged tokens pause their network, and only a form is read', async () => {
  const { stack } = sso
  const post = (contentType: string) =>
    stack.server.app.inject({
      method: 'POST',
      url: BACKCHANNEL_LOGOUT_PATH,
      payload: '{}',
      remoteAddress: '198.51.100.7',
      headers: { host: 'a.example', 'content-type': contentType },
    })
  expect((await post('application/json')).statusCode).toBe(415)
  const statuses = []
  for (let count = 0; count < 202; count++) statuses.push((await post('application/x-www-form-urlencoded')).statusCode)
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429])
})

test('a provider that is away is no reason to end a session, and the announcement can be repeated', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const { body } = await stack.signOn('a', name)
  const token = await stack.provider.sign(buildClaims(name))
  // A changed connection starts without cached provider metadata.
  await stack.setUp('a', { clientSecret: 'another secret' })
  stack.provider.behavior.state = 'away'
  expect((await announce(token)).statusCode).toBe(503)
  expect(await isSignedIn(body.access)).toBe(true)
  stack.provider.behavior.state = 'up'
  expect((await announce(token)).statusCode).toBe(200)
  expect(await isSignedIn(body.access)).toBe(false)
})
