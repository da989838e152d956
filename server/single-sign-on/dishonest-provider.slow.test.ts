import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CLIENT } from '../testing/openid-provider.ts'
import { startSsoStack } from '../testing/sso-stack.ts'

interface Answers {
  claims: JWTPayload
  userinfo: object
  sign: (claims: JWTPayload) => Promise<string>
  metadata: object
  /** Added to the response with the tokens. */
  tokens: object
  /** Sent instead of the document at a path. */
  instead: Record<string, { status?: number; headers?: OutgoingHttpHeaders; body?: string }>
}

let stack: Awaited<ReturnType<typeof startSsoStack>>
let issuer: string
let admin: string
let answers: Answers
let close: () => Promise<void>
/** The refresh tokens that it received. */
let refreshTokens: (string | null)[] = []
let foreignKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

/** A provider that responds with whatever the test sets, signed with a key that it publishes. */
beforeAll(async () => {
  stack = await startSsoStack()
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  foreignKey = (await generateKeyPair('RS256')).privateKey
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }
  const server = createServer(async (request, response) => {
    const documents: Record<string, () => object | Promise<object>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...answers.metadata,
      }),
      '/keys': () => ({ keys: [jwk] }),
      '/token': async () => ({
        access_token: 'access',
        token_type: 'bearer',
        expires_in: 60,
        id_token: await answers.sign(answers.claims),
        ...answers.tokens,
      }),
      '/me': () => answers.userinfo,
    }
    const instead = answers.instead[request.url ?? '']
    if (request.url === '/token') refreshTokens.push(new URLSearchParams(await text(request)).get('refresh_token'))
    if (instead) return response.writeHead(instead.status ?? 200, instead.headers).end(instead.body)
    const document = documents[request.url ?? '']
    if (!document) return response.writeHead(404).end()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await document()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = async () => {
    server.close()
    server.closeAllConnections()
  }
  sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(privateKey)
  admin = await stack.setUp('a', { issuer })
})
afterAll(async () => {
  await close()
  await stack.close()
})

let sign: Answers['sign']
const nowS = () => Math.floor(Date.now() / 1000)

beforeEach(() => {
  const claims = { sub: 'sub', email: 'honest@a.example', email_verified: true }
  answers = {
    claims: { ...claims, iss: issuer, aud: CLIENT.client_id, iat: nowS(), exp: nowS() + 60 },
    userinfo: { sub: 'sub' },
    sign,
    metadata: {},
    tokens: {},
    instead: {},
  }
})

const visitProvider = async (change: JWTPayload = {}) => {
  const { location, cookie } = await stack.start('a')
  const { searchParams } = new URL(location)
  answers.claims = { ...answers.claims, nonce: searchParams.get('nonce') ?? '', ...change }
  return { query: `code=code&state=${searchParams.get('state')}`, cookie }
}

const signOn = async (change?: JWTPayload) => {
  const { query, cookie } = await visitProvider(change)
  return stack.finish('a', query, cookie)
}

const expectRefused = async (result: ReturnType<typeof signOn>) => {
  const { status, body } = await result
  expect([status, body.error], JSON.stringify(body)).toEqual([401, 'sso_refused'])
}

test('an honest response is accepted, also by a clock that is half a minute behind or ahead', async () => {
  expect((await signOn()).status).toBe(200)
  expect((await signOn({ exp: nowS() - 30, iat: nowS() - 90 })).status).toBe(200)
  expect((await signOn({ nbf: nowS() + 30, iat: nowS() + 30, exp: nowS() + 90 })).status).toBe(200)
})

test.each([
  ['for another client', { aud: 'other' }],
  ['for several clients', { aud: ['dishboard', 'other'] }],
  ['of another issuer', { iss: 'https://login.example' }],
  ['for another sign-in', { nonce: 'of another sign-in' }],
  ['without a nonce', { nonce: undefined }],
  ['that has expired', { exp: nowS() - 120, iat: nowS() - 300 }],
  ['that is not valid yet', { nbf: nowS() + 300 }],
  ['that belongs to another access token', { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }],
])('a token %s is refused', async (_, change) => {
  await expectRefused(signOn(change))
})

test('a response counts once, though the provider accepts its code again', async () => {
  const { query, cookie } = await visitProvider()
  expect((await stack.finish('a', query, cookie)).status).toBe(200)
  await expectRefused(stack.finish('a', query, cookie))
})

test('a token of a provider whose clock is far ahead is refused with that reason', async () => {
  const { status, body } = await signOn({ iat: nowS() + 300, exp: nowS() + 360 })
  expect([status, body.error]).toEqual([401, 'sso_refused'])
  expect(body.message).toBe('The clock of the sign-in service is ahead of ours. Please contact your administrator.')
})

test('a renewal by a clock that is ahead by now keeps its refresh token, which replaces the one before', async () => {
  answers.tokens = { refresh_token: 'first' }
  const { body } = await signOn()
  refreshTokens = []
  answers.tokens = { refresh_token: 'second' }
  answers.claims = { ...answers.claims, iat: nowS() + 300, exp: nowS() + 360, nonce: undefined }
  for (let turn = 0; turn < 2; turn++) {
    stack.passMinutes(5)
    expect((await stack.refresh(body.refresh)).status).toBe(200)
  }
  expect(refreshTokens).toEqual(['first', 'second'])
})

test('a token that the provider has not signed is refused', async () => {
  answers.sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(foreignKey)
  await expectRefused(signOn())
  const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  answers.sign = async (claims) => `${toPart({ alg: 'none' })}.${toPart(claims)}.`
  await expectRefused(signOn())
  // The published key used as a shared secret.
  answers.sign = (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'key' })
      .sign(new TextEncoder().encode(CLIENT.client_secret))
  await expectRefused(signOn())
})

test('claims of somebody else are not taken for those of the user', async () => {
  answers.userinfo = { sub: 'somebody else', groups: ['noc'] }
  await expectRefused(signOn())
})

test('an address and its verification come from one place', async () => {
  const { email_verified: _, ...claims } = answers.claims
  answers.claims = { ...claims, sub: 'other', email: 'ada@a.example' }
  for (const verified of [{ email_verified: true }, { xms_edov: true }]) {
    answers.userinfo = { sub: 'other', email: 'other@elsewhere.example', ...verified }
    await expectRefused(signOn())
  }
})

let clients = 0
/** The status of a sign-in by another client, whose provider metadata is not cached yet. */
const startAnew = async () => {
  await stack.change('a', admin, stack.buildSettings({ issuer, clientId: `client ${++clients}` }))
  const { status } = await stack.server.call('a', 'POST', '/api/single-sign-on/start/', { body: {} })
  await stack.change('a', admin, stack.buildSettings({ issuer }))
  return status
}

const METADATA_PATH = '/.well-known/openid-configuration'
const HUGE = `{ "issuer": "${'x'.repeat(2 * 1024 * 1024)}" }`

test('a provider that leads the browser to a script is refused', async () => {
  expect(await startAnew()).toBe(200)
  answers.metadata = { authorization_endpoint: 'javascript:alert(1)' }
  expect(await startAnew()).toBe(503)
})

test('metadata of another issuer, from another address, or without end is refused', async () => {
  answers.metadata = { issuer: 'https://login.example' }
  expect(await startAnew()).toBe(503)
  answers.metadata = {}
  const elsewhere = {
    '/elsewhere': { body: JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }) },
  }
  answers.instead = { [METADATA_PATH]: { status: 302, headers: { location: `${issuer}/elsewhere` } }, ...elsewhere }
  expect(await startAnew()).toBe(503)
  answers.instead = { [METADATA_PATH]: { body: HUGE } }
  expect(await startAnew()).toBe(503)
})

test.each([
  ['without end', { body: HUGE }],
  ['elsewhere', { status: 307, headers: { location: '/elsewhere' } }],
  ['that are none', { body: '[]' }],
])('keys %s and tokens %s sign nobody in', async (_, instead) => {
  for (const path of ['/keys', '/token', '/me']) {
    // A refused answer leaves no keys behind in the cache.
    answers.sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(foreignKey)
    await expectRefused(signOn())
    answers.sign = sign
    answers.instead = { [path]: instead }
    const { status } = await signOn()
    expect([path, [401, 503].includes(status)]).toEqual([path, true])
    answers.instead = {}
  }
})

test('a response in another mode than the requested one is refused', async () => {
  const idToken = await sign(answers.claims)
  for (const extra of [`&id_token=${idToken}`, '&token=access&token_type=bearer', `&response=${idToken}`, '&state=x']) {
    const { query, cookie } = await visitProvider()
    await expectRefused(stack.finish('a', `${query}${extra}`, cookie))
  }
  const { query, cookie } = await visitProvider()
  const twice = await stack.finish('a', `${query}&code=other`, cookie)
  await expectRefused(Promise.resolve(twice))
})

test('a provider in a private network is never called unless the operator allows its network', async () => {
  const production = await startSsoStack({ OUTBOUND_NETWORKS: '' })
  const token = (await production.server.signIn('a', 'ada@a.example')).access
  const attempt = async (address: string) =>
    (
      await production.server.call('a', 'POST', '/api/single-sign-on/test/', {
        token,
        body: { issuer: address, scopes: 'openid' },
      })
    ).body.facts[0].text
  for (const address of [
    'https://127.0.0.1',
    'https://localhost',
    'https://[::ffff:10.0.0.1]',
    'https://169.254.169.254',
  ])
    expect(await attempt(address), address).toContain('on the public internet')
  expect(await attempt(production.provider.issuer)).toContain('https')
  const refused = await production.change('a', token, production.buildSettings())
  expect([refused.status, refused.body.message]).toEqual([400, 'issuer: The address must be on the public internet.'])
  await production.close()
})
