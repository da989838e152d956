import { expect, test } from 'vitest'
import { setupSso } from '../testing/sso-stack.ts'

const sso = setupSso()

test('a provider that signs with new keys is believed', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  expect((await stack.signOn('a', name)).status).toBe(200)
  await stack.provider.rotateKeys()
  await stack.signOn('a', name)
  expect((await stack.signOn('a', name)).status).toBe(200)
})

test('whoever is deactivated at the provider is signed out at the next refresh', async () => {
  const { stack } = sso
  const { name, email } = stack.addAccount()
  const { body } = await stack.signOn('a', name)
  expect((await stack.refresh(body.refresh)).status).toBe(200)
  const claims = stack.provider.accounts.get(name) ?? {}
  stack.provider.accounts.delete(name)
  // The provider was queried a moment ago.
  expect((await stack.refresh(body.refresh)).status).toBe(200)
  stack.passMinutes(5)
  expect((await stack.refresh(body.refresh)).status).toBe(401)
  expect((await stack.getMe(body.access)).status).toBe(401)
  expect(await stack.listEvents('session_ended', email)).toEqual([{ reason: 'refused by the provider' }])
  stack.provider.accounts.set(name, claims)
  expect((await stack.refresh(body.refresh)).status).toBe(401)
})

test('each renewal at the provider uses the token of the one before, also when two tabs refresh at once', async () => {
  const { stack } = sso
  const { body } = await stack.signOn('a', stack.addAccount().name)
  for (let turn = 0; turn < 3; turn++) {
    stack.passMinutes(6)
    const responses = await Promise.all([
      stack.refresh(body.refresh),
      stack.refresh(body.refresh),
      stack.refresh(body.refresh),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  }
})

test('while the provider is unreachable nobody is signed out, but no session outlasts the grace period', async () => {
  const { stack } = sso
  const { body } = await stack.signOn('a', stack.addAccount().name)
  stack.provider.behavior.state = 'away'
  stack.passMinutes(60)
  expect((await stack.refresh(body.refresh)).status).toBe(200)
  stack.passMinutes(10)
  const late = await stack.refresh(body.refresh)
  expect([late.status, late.body.error]).toEqual([503, 'provider_unreachable'])
  stack.provider.behavior.state = 'up'
  stack.passMinutes(1)
  expect((await stack.refresh(body.refresh)).status).toBe(200)
})

test('what was checked by a clock that was ahead is checked again', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const { body } = await stack.signOn('a', name)
  stack.passMinutes(24 * 60)
  expect((await stack.refresh(body.refresh)).status).toBe(200)
  // A process that checks it ends in between.
  await stack.superuser.query('update sso_sessions set checking_until = $1', [stack.server.clock.now])
  stack.passMinutes(-24 * 60)
  const together = await Promise.all([stack.refresh(body.refresh), stack.refresh(body.refresh)])
  expect(together.map(({ status }) => status)).toContain(200)
  stack.passMinutes(5)
  stack.provider.accounts.delete(name)
  expect((await stack.refresh(body.refresh)).status).toBe(401)
})

test('a session that cannot be checked at the provider lasts eight hours', async () => {
  const { stack } = sso
  stack.provider.behavior.issuesRefreshTokens = false
  const { body } = await stack.signOn('a', stack.addAccount().name)
  stack.passMinutes(7 * 60)
  expect((await stack.refresh(body.refresh)).status).toBe(200)
  stack.passMinutes(60)
  expect((await stack.refresh(body.refresh)).status).toBe(401)
})

test('logging out also leads to the provider’s logout', async () => {
  const { stack, admin } = sso
  const { body } = await stack.signOn('a', stack.addAccount().name)
  const { body: result } = await stack.server.call('a', 'POST', '/api/logout/', { token: body.access })
  const address = new URL(result.continueAt)
  expect(address.origin).toBe(stack.provider.issuer)
  expect(address.searchParams.get('post_logout_redirect_uri')).toBe('http://a.example/login')
  expect((await fetch(address)).status).toBe(200)
  expect((await stack.getMe(body.access)).status).toBe(401)
  const withPassword = await stack.server.call('a', 'POST', '/api/logout/', { token: admin })
  expect(withPassword.body).toEqual({ message: 'You are signed out.' })
})

test('an unreachable provider is reported clearly', async () => {
  const { stack } = sso
  await stack.setUp('a', { clientId: 'other' })
  stack.provider.behavior.state = 'away'
  const { status, body } = await stack.server.call('a', 'POST', '/api/single-sign-on/start/', { body: {} })
  expect([status, body.error]).toEqual([503, 'provider_unreachable'])
})

test('a sensitive change is confirmed at the provider by the same person who signed in', async () => {
  const { stack } = sso
  const { name } = stack.addAccount({ groups: ['noc'] })
  const { body } = await stack.signOn('a', name)
  stack.passMinutes(16)
  const access = (await stack.refresh(body.refresh)).body.access as string
  expect((await stack.change('a', access, stack.buildSettings())).body.error).toBe('reauthenticate')
  const confirm = async (account: string) => {
    const { location, cookie, query } = await stack.visitProvider('a', account, { confirm: true })
    expect(new URL(location).searchParams.get('prompt')).toBe('login')
    // A confirmation is not a sign-in: its response alone gives no session.
    expect((await stack.finish('a', query, cookie)).status).toBe(401)
    return stack.server.call('a', 'POST', '/api/single-sign-on/confirm/', {
      token: access,
      body: { query },
      headers: { cookie },
    })
  }
  expect((await confirm(stack.addAccount().name)).status).toBe(403)
  expect((await stack.change('a', access, stack.buildSettings())).body.error).toBe('reauthenticate')
  expect((await confirm(name)).status).toBe(200)
  expect((await stack.change('a', access, stack.buildSettings())).status).toBe(200)
})

test('switching single sign-on off ends its sessions', async () => {
  const { stack } = sso
  const { body } = await stack.signOn('a', stack.addAccount().name)
  await stack.setUp('a', { isEnabled: false })
  expect((await stack.getMe(body.access)).status).toBe(401)
  expect((await stack.server.call('a', 'POST', '/api/single-sign-on/start/', { body: {} })).status).toBe(404)
})
