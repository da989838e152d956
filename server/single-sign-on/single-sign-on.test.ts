import { expect, test } from 'vitest'
import type { Rule } from '#contract/single-sign-on.ts'
import { listValidSubscribers } from '../fleet/live-queries.ts'
import { CLIENT } from '../testing/openid-provider.ts'
import { PASSWORD } from '../testing/server.ts'
import { RULES, setupSso } from '../testing/sso-stack.ts'

const sso = setupSso()

test('a first sign-in creates an account by rule, a second one finds it', async () => {
  const { stack } = sso
  const { name, email } = stack.addAccount()
  const { status, body } = await stack.signOn('a', name)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ requires2FA: false, newUser: false })
  expect((await stack.getMe(body.access)).body).toMatchObject({
    email,
    role: 'user',
    customerName: `Person ${name.slice(6)}`,
  })
  const created = await stack.findUser(email)
  expect(created).toMatchObject({ role: 'user', group_name: 'north' })
  expect((await stack.signOn('a', name)).status).toBe(200)
  expect(await stack.findUser(email)).toEqual(created)
  expect(await stack.listEvents('sign_in', email)).toEqual([{ method: 'single sign-on' }, { method: 'single sign-on' }])
})

test('a name that reverses text, breaks its line or cannot be seen is not taken from the provider', async () => {
  const { stack } = sso
  for (const given of ['Ada \u202enimda', 'Ada\u2028Admin', '\u3164\u200b', 7]) {
    const { name, email } = stack.addAccount({ name: given })
    expect((await stack.signOn('a', name)).status).toBe(200)
    expect(await stack.findUser(email)).toMatchObject({ customer_name: email })
  }
  const { name, email } = stack.addAccount({ name: ' Utqiaġvik\nAda ' })
  await stack.signOn('a', name)
  expect(await stack.findUser(email)).toMatchObject({ customer_name: 'Utqiaġvik Ada' })
})

test('the request to the provider has PKCE, state and nonce, and the cookie is for this browser alone', async () => {
  const { stack } = sso
  const { headers, body } = await stack.server.call('a', 'POST', '/api/single-sign-on/start/', { body: {} })
  const { searchParams } = new URL(body.location)
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(searchParams.get('state')).not.toBe(searchParams.get('nonce'))
  expect(searchParams.get('redirect_uri')).toBe('http://a.example/sso/callback')
  expect(String(headers['set-cookie'])).toMatch(
    /^sso-browser=[\w-]{43}; Max-Age=600; Path=\/api; HttpOnly; SameSite=Strict$/,
  )
})

test('an existing account is linked by its verified address, and its role and group follow the rules', async () => {
  const { stack } = sso
  const { name, email } = stack.addAccount({ groups: ['noc'] })
  const id = await stack.server.addUser('a', {
    email: email.toUpperCase(),
    username: 'south',
    mustChangePassword: true,
    checkOtp: true,
  })
  const { body } = await stack.signOn('a', name)
  // A user who signed in at the provider needs neither a code nor a new password.
  expect((await stack.getMe(body.access)).body).toMatchObject({ role: 'admin', newUser: false })
  expect(await stack.findUser(email.toUpperCase())).toMatchObject({ id, role: 'admin', group_name: 'staff' })
  expect(await stack.listEvents('rights_changed', email.toUpperCase())).toEqual([
    { role: 'user → admin', username: 'south → staff', rule: 2 },
  ])
  stack.provider.accounts.set(name, { email, email_verified: true, groups: [] })
  await stack.signOn('a', name)
  expect(await stack.findUser(email.toUpperCase())).toMatchObject({ role: 'user', group_name: 'north' })
})

test('an account is not linked by an address that the provider has not verified', async () => {
  const { stack } = sso
  for (const email_verified of [false, undefined, 'false', 1]) {
    const { name, email } = stack.addAccount({ email_verified })
    await stack.server.addUser('a', { email, role: 'admin' })
    const { status, body } = await stack.signOn('a', name)
    expect([status, body.error]).toEqual([401, 'sso_refused'])
    expect(await stack.listEvents('sso_refused', email)).toEqual([{ reason: 'unverified' }])
  }
  const { rows } = await stack.superuser.query('select from sso_identities where subject = any($1)', [
    [...stack.provider.accounts.keys()].slice(-4),
  ])
  expect(rows).toHaveLength(0)
})

test('an account is not linked by an address that only resembles its own', async () => {
  const { stack } = sso
  const id = await stack.server.addUser('a', { email: 'kim@a.example', role: 'admin' })
  // The Kelvin sign, a full-width letter, a Cyrillic one, and a dotted capital I.
  for (const email of ['\u212Aim@a.example', '\uFF4Bim@a.example', 'k\u0456m@a.example', 'k\u0130m@a.example']) {
    const { name } = stack.addAccount({ email })
    await stack.signOn('a', name)
    const { rows } = await stack.superuser.query('select user_id from sso_identities where subject = $1', [name])
    expect(rows.map(({ user_id }) => Number(user_id))).not.toContain(id)
  }
})

test('a rule about addresses ignores one that a linked user has entered but not verified', async () => {
  const { stack } = sso
  const { name, email } = stack.addAccount()
  expect((await stack.signOn('a', name)).status).toBe(200)
  stack.provider.accounts.set(name, { email: 'boss@a.example', email_verified: false })
  expect((await stack.signOn('a', name)).status).toBe(401)
  stack.provider.accounts.set(name, { email: 'boss@elsewhere.example', email_verified: false, groups: ['noc'] })
  expect((await stack.signOn('a', name)).status).toBe(200)
  expect(await stack.findUser(email)).toMatchObject({ role: 'admin' })
})

test('whoever is given the address of a former colleague does not get their account', async () => {
  const { stack } = sso
  const { name, email } = stack.addAccount()
  expect((await stack.signOn('a', name)).status).toBe(200)
  const successor = stack.addAccount({ email })
  const { status } = await stack.signOn('a', successor.name)
  expect(status).toBe(401)
  expect(await stack.listEvents('sso_refused', email)).toEqual([{ reason: 'other_account' }])
})

test('without a rule that matches, or with one that refuses, nobody gets in', async () => {
  const { stack } = sso
  const blocked = stack.addAccount({ groups: ['noc', 'blocked'] })
  expect((await stack.signOn('a', blocked.name)).body.error).toBe('sso_refused')
  const stranger = stack.addAccount({ email: 'stranger@elsewhere.example' })
  expect((await stack.signOn('a', stranger.name)).body.error).toBe('sso_refused')
  expect(await stack.findUser('stranger@elsewhere.example')).toBeUndefined()
})

test('the last administrator and break-glass administrators are not demoted by a rule', async () => {
  const { stack } = sso
  const { name, email } = stack.addAccount()
  const id = await stack.server.addUser('a', { email, role: 'admin' })
  await stack.setUp('a', { breakGlass: [String(id)] })
  expect((await stack.signOn('a', name)).status).toBe(200)
  expect(await stack.findUser(email)).toMatchObject({ role: 'admin', group_name: 'north' })
  const last = stack.addAccount({ email: 'bea@b.example' })
  const toUser: Rule = { claim: 'sub', operator: 'exists', value: '', outcome: 'user', group: 'south' }
  await stack.setUp('b', { rules: [toUser] })
  expect((await stack.signOn('b', last.name)).status).toBe(200)
  expect(await stack.findUser('bea@b.example', 'b')).toMatchObject({ role: 'admin', group_name: 'south' })
})

test('a response counts once, in the browser and the tenant that requested it', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const { query, cookie } = await stack.visitProvider('a', name)
  const victim = await stack.start('a')
  // Login CSRF: with another user's response in a link, the victim would work in the attacker's account.
  expect((await stack.finish('a', query, victim.cookie)).body.error).toBe('sso_refused')
  expect((await stack.finish('a', query, '')).body.error).toBe('sso_refused')
  expect((await stack.finish('b', query, cookie)).body.error).toBe('sso_refused')
  expect((await stack.finish('a', query, cookie)).status).toBe(200)
  expect((await stack.finish('a', query, cookie)).body.error).toBe('sso_refused')
})

test('a response that arrives too late is refused', async () => {
  const { stack } = sso
  const { query, cookie } = await stack.visitProvider('a', stack.addAccount().name)
  stack.passMinutes(11)
  expect((await stack.finish('a', query, cookie)).status).toBe(401)
})

test('a code of another sign-in is refused, and so is a response of another provider', async () => {
  const { stack } = sso
  const { name } = stack.addAccount()
  const stolen = await stack.visitProvider('a', name)
  const own = await stack.visitProvider('a', stack.addAccount().name)
  const injected = new URLSearchParams(own.query)
  injected.set('code', new URLSearchParams(stolen.query).get('code') ?? '')
  expect((await stack.finish('a', injected.toString(), own.cookie)).body.error).toBe('sso_refused')
  const mixedUp = await stack.visitProvider('a', name)
  const foreign = new URLSearchParams(mixedUp.query)
  foreign.set('iss', 'https://attacker.example')
  expect((await stack.finish('a', foreign.toString(), mixedUp.cookie)).body.error).toBe('sso_refused')
  const anonymous = await stack.visitProvider('a', name)
  const unnamed = new URLSearchParams(anonymous.query)
  unnamed.delete('iss')
  expect((await stack.finish('a', unnamed.toString(), anonymous.cookie)).body.error).toBe('sso_refused')
})

test('a provider that is replaced meanwhile does not answer for its predecessor', async () => {
  const { stack } = sso
  const { query, cookie } = await stack.visitProvider('a', stack.addAccount().name)
  await stack.setUp('a', { clientId: 'other' })
  expect((await stack.finish('a', query, cookie)).body.error).toBe('sso_refused')
})

test('with single sign-on only, passwords are refused except for break-glass administrators', async () => {
  const { stack, admin } = sso
  const { name, email } = stack.addAccount()
  await stack.server.addUser('a', { email })
  const { access: before } = await stack.server.signIn('a', email)
  const withoutAnyone = await stack.change('a', admin, stack.buildSettings({ isOnly: true }))
  expect(withoutAnyone.status).toBe(409)
  await stack.setUp('a', { isOnly: true, breakGlass: [String(stack.adminId)] })
  // The provider could not end a session that began with a password.
  expect((await stack.getMe(before)).status).toBe(401)
  const login = (address: string) =>
    stack.server.call('a', 'POST', '/api/user/login/', { body: { email: address, password: PASSWORD } })
  expect((await login(email)).status).toBe(401)
  expect((await login('ada@a.example')).status).toBe(200)
  const { body } = await stack.signOn('a', name)
  const passwords = { currentPassword: PASSWORD, newPassword: 'Another-pass-1' }
  const reset = await stack.server.call('a', 'POST', '/api/reset-password/', { token: body.access, body: passwords })
  expect([reset.status, reset.body.message]).toEqual([
    409,
    'Your organization uses single sign-on. You need no password here.',
  ])
  const config = await stack.server.call('a', 'GET', '/api/config/')
  expect(config.body.singleSignOn).toEqual({ label: 'Sign in with Example', isOnly: true })

  const second = await stack.server.addUser('a', { email: `second-${email}`, role: 'admin' })
  const demoted = await stack.server.call('a', 'DELETE', `/api/delete-user/${stack.adminId}/`, { token: admin })
  expect(demoted.status).toBe(409)
  const removed = await stack.change('a', admin, stack.buildSettings({ isOnly: true, breakGlass: [] }))
  expect(removed.status).toBe(409)
  const foreign = await stack.superuser.query("select id from users where tenant_id = 'b' limit 1")
  const named = await stack.change('a', admin, stack.buildSettings({ isOnly: true, breakGlass: [foreign.rows[0].id] }))
  expect(named.status).toBe(400)
  expect((await stack.server.call('a', 'DELETE', `/api/delete-user/${second}/`, { token: admin })).status).toBe(200)
})

test('whoever has no password confirms with single sign-on, and with nothing else where it is the only way in', async () => {
  const { stack, admin } = sso
  const listWays = async (token: string) =>
    (await stack.server.call('a', 'POST', '/api/confirmation/', { token, body: {} })).body.ways
  const { body } = await stack.signOn('a', stack.addAccount().name)
  expect(await listWays(body.access)).toEqual(['single sign-on', 'password'])
  expect(await listWays(admin)).toEqual(['password'])
  await stack.setUp('a', { isOnly: true, breakGlass: [String(stack.adminId)] })
  expect(await listWays(body.access)).toEqual(['single sign-on'])
  const code = { token: body.access, body: { code: '000000' } }
  expect((await stack.server.call('a', 'POST', '/api/confirm-code/', code)).status).toBe(409)
})

test('a required second factor stops neither a session of single sign-on nor the token created in it', async () => {
  const { stack, admin } = sso
  const { name, email } = stack.addAccount()
  const { body } = await stack.signOn('a', name)
  // The provider does not say when the user authenticated.
  await stack.superuser.query('update sessions set confirmed_at = $1', [stack.server.clock.now])
  const createToken = async (token: string) => {
    const input = { name: 'Script', scopes: ['terminals:read'], networks: [], expiresInDays: 30 }
    const created = await stack.server.call('a', 'POST', '/api/my-tokens/', { token, body: input })
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    return created.body.token as string
  }
  const own = await createToken(body.access)
  const person = await stack.server.addUser('a', { email: `password-${email}` })
  const passwordToken = await createToken((await stack.server.signIn('a', `password-${email}`)).access)
  const require = (value: boolean) =>
    stack.superuser.query("update tenant_settings set second_factor_for_users = $1 where tenant_id = 'a'", [value])
  const read = async (token: string) => (await stack.server.call('a', 'GET', '/api/terminals/', { token })).status
  await require(true)
  try {
    expect([await read(body.access), await read(own), await read(passwordToken)]).toEqual([200, 200, 403])
    const { rows } = await stack.superuser.query('select id from api_tokens where user_id <> $1', [person])
    const view = { group: 'north', details: false, metadata: false }
    const subscribers = rows.map((token) => ({ senderId: token.id, view }))
    const listStreams = async () =>
      (await stack.server.database.transaction({ tenantId: 'a' }, (db) => listValidSubscribers(db, 'a', subscribers)))
        .size
    expect(await listStreams()).toBe(1)
    // It is not enough that others are linked to the provider.
    await stack.signOn('a', stack.addAccount().name)
    const link = 'update sso_identities set issuer = $1 where user_id = (select id from users where email = $2)'
    await stack.superuser.query(link, ['https://former.example', email])
    expect([await read(own), await listStreams()]).toEqual([403, 0])
    await stack.superuser.query(link, [stack.provider.issuer, email])
    expect([await read(own), await listStreams()]).toEqual([200, 1])
    // Nobody vouches for the token any more.
    expect((await stack.change('a', admin, stack.buildSettings({ isEnabled: false }))).status).toBe(200)
    expect([await read(own), await listStreams()]).toEqual([403, 0])
  } finally {
    await require(false)
  }
})

test('the secret is never shown, and must be entered again when the provider changes', async () => {
  const { stack, admin } = sso
  const { body } = await stack.server.call('a', 'GET', '/api/single-sign-on/', { token: admin })
  expect(JSON.stringify(body)).not.toContain(CLIENT.client_secret)
  expect(body.redirectUris).toEqual(['https://a.example/sso/callback'])
  expect(
    (await stack.change('a', admin, stack.buildSettings({ clientSecret: null, buttonLabel: 'Sign in' }))).status,
  ).toBe(200)
  const moved = await stack.change(
    'a',
    admin,
    stack.buildSettings({ clientSecret: null, issuer: 'http://127.0.0.1:9' }),
  )
  expect(moved.body.message).toContain('clientSecret')
  const { rows } = await stack.superuser.query(
    "select details from audit_log where tenant_id = 'a' and action = 'tenant.single_sign_on' order by seq",
  )
  expect(JSON.stringify(rows)).not.toContain(CLIENT.client_secret)
  expect(rows.at(-1).details.after).toEqual({ buttonLabel: 'Sign in' })
})

test('sample claims and tokens show which rule decides', async () => {
  const { stack, admin } = sso
  const attempt = async (sample: string) =>
    (
      await stack.server.call('a', 'POST', '/api/single-sign-on/try/', {
        token: admin,
        body: { sample, rules: RULES },
      })
    ).body
  const noc = { email: 'ada@a.example', email_verified: true, groups: ['noc'] }
  expect(await attempt(JSON.stringify(noc))).toEqual({
    rule: 2,
    outcome: 'admin',
    group: 'staff',
    text: 'Rule 2 admits as an administrator of the group staff. It would be linked to the account ada@a.example.',
  })
  const payload = Buffer.from(JSON.stringify({ email: 'new@a.example', email_verified: true })).toString('base64url')
  expect(await attempt(`e30.${payload}.`)).toMatchObject({ rule: 3, text: expect.stringContaining('would be created') })
  expect(await attempt(JSON.stringify({ ...noc, email: 'Mar\u212A@a.example' }))).toMatchObject({
    text: expect.stringContaining('the email address cannot be used'),
  })
  expect(await attempt('{"email":"new@a.example"}')).toMatchObject({ rule: null, outcome: 'refuse' })
  expect((await attempt('no token')).error).toBe('invalid')
})

test('a test of the connection says what the provider offers', async () => {
  const { stack, admin } = sso
  const tryIssuer = async (issuer: string) =>
    (
      await stack.server.call('a', 'POST', '/api/single-sign-on/test/', {
        token: admin,
        body: { issuer, scopes: 'openid offline_access' },
      })
    ).body
  const { isUsable, facts } = await tryIssuer(stack.provider.issuer)
  expect([isUsable, facts.map(({ isFine }: { isFine: boolean }) => isFine)]).toEqual([
    true,
    [true, true, true, true, true],
  ])
  expect((await tryIssuer('http://127.0.0.1:9')).isUsable).toBe(false)
})
