import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { featureItems, listFeatureValues } from '#contract/features.ts'
import { type Access, isWriting, type Route } from '#contract/route.ts'
import { LANES } from '../identity/hash-queue.ts'
import { getHashQueue, hashPassword, toBulkRequester } from '../identity/passwords.ts'
import { signAccessToken } from '../identity/tokens.ts'
import { buildRequest, everyCall, getScopes } from './access-walk.ts'
import { addApiToken } from './add-api-token.ts'
import { expectedResponses } from './expected-responses.ts'
import { type Stop, setGate } from './gated-client.ts'
import type { SeededTenants } from './seeded-tenants.ts'
import { PASSWORD } from './server.ts'
import { watchRows } from './watch-rows.ts'

const revocations = [
  ...(['deleted', 'demoted', 'moved to another group', 'session ended', 'password reset'] as const),
  /** Signed in elsewhere with a mailed password. */
  'must change password',
  /** The call is sent with an API token. */
  'token revoked',
] as const
export type Revocation = (typeof revocations)[number]

/** What can revoke a call from its sender. */
export const listRevocations = (name: string, route: Route) =>
  revocations.filter((each) => {
    if (each === 'must change password') return !route.isAllowedBeforePasswordChange
    return each !== 'token revoked' || getScopes(name, route)?.length !== 0
  })

/** Every call of the contract that changes something for a signed-in user. */
export const writeCalls = everyCall.filter(([, route]) => isWriting(route) && route.access !== 'public')

interface Performer {
  id: number
  email: string
  token: string
  otherSessionId: string
  apiToken: { id: string; token: string }
}

const NEW_PASSWORD = 'Another-pass-1'
const MAILED_PASSWORD = 'Mailed-pass-1'
const REFUSED = [401, 403, 409]
/** A download that was aborted midway: its status had already been sent. */
const BROKEN_OFF = { status: 401, headers: {}, body: {} }

const addTotpSecret = (userId: number, { superuser, services }: SeededTenants, secret: string) =>
  superuser.query("insert into totp_secrets (tenant_id, user_id, secret, created_at) values ('a', $1, $2, now())", [
    userId,
    services.secrets.seal(secret, `totp:a:${userId}`),
  ])

const addPasskey = async (userId: number, { superuser }: SeededTenants) => {
  const { rows } = await superuser.query<{ id: string }>(
    `insert into passkeys (tenant_id, user_id, name, host, credential_id, public_key, counter, transports, created_at)
     values ('a', $1, 'Phone', 'a.example', $2, '', 0, '{}', now()) returning id`,
    [userId, Buffer.from(randomUUID())],
  )
  return rows[0]?.id
}

/** Used where the input of the access walk changes nothing here, or conflicts when it is sent again. */
const inputs: Record<string, (performer: Performer, tenants: SeededTenants) => object | Promise<object>> = {
  'identity.startConfirmation': async ({ id }, tenants) => {
    await addPasskey(id, tenants)
    return {}
  },
  'identity.confirmCode': async ({ id }, tenants) => {
    const secret = new Secret()
    await addTotpSecret(id, tenants, secret.base32)
    await tenants.superuser.query('update totp_secrets set confirmed_at = now() where user_id = $1', [id])
    return { code: new TOTP({ secret }).generate({ timestamp: tenants.services.now().getTime() }) }
  },
  'identity.confirmPassword': () => ({ password: PASSWORD }),
  'profile.resetPassword': () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  'profile.auditMail': () => ({ auditMail: false }),
  'profile.checkOtp': () => ({ checkOtp: true }),
  'profile.enableSms': () => ({ enableSmsNotification: false }),
  'profile.selectTerminals': (_, { lines }) => ({ selectedTerminalList: String(lines.north.id) }),
  'sessions.end': ({ otherSessionId }) => ({ sessionId: otherSessionId }),
  'apiTokens.createService': ({ id }) => ({
    name: `By ${id}`,
    scopes: ['terminals:read'],
    expiresInDays: 1,
    networks: [],
    role: 'user',
    group: 'north',
  }),
  // The app is not confirmed yet, so that signing in is unaffected.
  'factors.confirmTotp': async ({ id }, tenants) => {
    const secret = new Secret()
    await addTotpSecret(id, tenants, secret.base32)
    return { code: new TOTP({ secret }).generate({ timestamp: tenants.services.now().getTime() }) }
  },
  'factors.removeTotp': async ({ id }, tenants) => {
    await addTotpSecret(id, tenants, new Secret().base32)
    await tenants.superuser.query('update totp_secrets set confirmed_at = now() where user_id = $1', [id])
    return {}
  },
  'factors.removePasskey': async ({ id }, tenants) => ({ passkeyId: await addPasskey(id, tenants) }),
  'apiTokens.revokeOwn': ({ apiToken }) => ({ tokenId: apiToken.id }),
  'serviceLines.setMetadata': ({ id }, { lines }) => ({
    nickname: lines.north.line,
    field: 'metadata2',
    value: `by ${id}`,
  }),
  'incidents.acknowledge': ({ id }, { lines }) => ({ id: lines.north.incident, note: `by ${id}` }),
  'incidents.snooze': ({ id }, { lines }) => ({
    id: lines.north.incident,
    until: new Date(Date.now() + id * 1000).toISOString(),
  }),
  'bulk.stop': async ({ id }, { addBulkChange }) => ({ id: await addBulkChange(id, 'running') }),
  'bulk.undo': async ({ id }, { addBulkChange }) => ({ id: await addBulkChange(id, 'finished') }),
  'savedViews.change': async ({ id }, { addSavedView }) => ({
    id: await addSavedView(),
    name: `By ${id}`,
    page: 'table',
    state: {},
    audience: 'everyone',
    group: null,
  }),
  'availability.setTarget': ({ id }) => ({ group: 'north', percent: 50 + (id % 50) }),
  'commands.rename': ({ id }, { lines }) => ({ nickname: lines.north.line, customname: `by ${id}` }),
  'users.create': ({ id }) => ({
    email: `made-by-${id}@a.example`,
    username: 'north',
    customerName: 'N',
    company: 'C',
    role: 'user',
    initialPassword: PASSWORD,
  }),
  'users.importCsv': ({ id }) => ({
    csv: `email,username,customerName,company,role,initialPassword\nby-${id}@a.example,north,N,C,user,${PASSWORD}\n`,
    apply: true,
  }),
}

/** The transaction that decides. Later ones of a command only record what the vendor has already done. */
const decidesFirst = (name: string) => name.startsWith('commands.')

/** Races of calls against the revocation of the sender's permissions, in tenants whose database uses `GatedClient`s. */
export const openRaces = async (tenants: SeededTenants, superuser: Parameters<typeof watchRows>[0]) => {
  const { services, call, superuser: db } = tenants
  const rows = await watchRows(superuser)
  const passwordHash = await hashPassword(PASSWORD, toBulkRequester('a'))
  const mailedHash = await hashPassword(MAILED_PASSWORD, toBulkRequester('a'))
  await db.query("insert into snow_melt_configs values ('a', 'ALWAYS_ON', 'config')")
  let performers = 0

  const addSession = async (userId: number) => {
    const { rows: added } = await db.query<{ id: string }>(
      `insert into sessions (tenant_id, user_id, refresh_hash, expires_at, address, user_agent, confirmed_at)
       values ('a', $1, $2, now() + interval '1 day', '', '', now()) returning id`,
      [userId, Buffer.from(randomUUID())],
    )
    return added[0]?.id as string
  }

  const addPerformer = async (role: 'admin' | 'user'): Promise<Performer> => {
    const email = `performer${++performers}@a.example`
    const { rows: added } = await db.query<{ id: string }>(
      `insert into users (tenant_id, email, password_hash, role, group_name, customer_name, company)
       values ('a', $1, $2, $3, 'north', 'Some One', 'Company') returning id`,
      [email, passwordHash, role],
    )
    const id = Number(added[0]?.id)
    const items = Object.keys(featureItems) as (keyof typeof featureItems)[]
    for (const item of role === 'user' ? items : [])
      await db.query("insert into feature_grants values ('a', $1, $2, $3)", [id, item, listFeatureValues(item).at(-1)])
    await db.query("insert into mailed_passwords values ('a', $1, $2, now() + interval '1 hour')", [id, mailedHash])
    const claims = { tenantId: 'a', userId: id, sessionId: await addSession(id) }
    const token = await signAccessToken(services.secrets.tokenKeys[0], claims, services.now())
    const apiToken = await addApiToken(db, 'a', { userId: id })
    return { id, email, token, otherSessionId: await addSession(id), apiToken }
  }

  const root = await addPerformer('admin')

  const revoke = (revocation: Revocation, { id, email, apiToken }: Performer, access: Access) => {
    const form = { email, username: 'north', customerName: 'Some One', company: 'Company' }
    const update = (change: object) =>
      call('a', 'PUT', `/api/update-user/${id}/`, { token: root.token, body: { ...form, ...change } })
    switch (revocation) {
      case 'deleted':
        return call('a', 'DELETE', `/api/delete-user/${id}/`, { token: root.token })
      case 'demoted':
        if (typeof access === 'string') return update({ role: 'user' })
        return call('a', 'PATCH', '/api/acp/value/', {
          token: root.token,
          body: { user_id: String(id), item_code: access.item, value: listFeatureValues(access.item)[0] },
        })
      case 'moved to another group':
        return update({ username: 'south' })
      case 'session ended':
        return call('a', 'POST', `/api/end-user-sessions/${id}/`, { token: root.token })
      case 'password reset':
        return update({ initialPassword: 'Reset-by-admin-1' })
      case 'token revoked':
        return call('a', 'DELETE', `/api/api-tokens/${apiToken.id}/`, { token: root.token })
      case 'must change password':
        return call('a', 'POST', '/api/user/login/', { body: { email, password: MAILED_PASSWORD } })
    }
  }

  /** Commands in flight and exhausted limits would refuse the next call for other reasons. */
  const clearTraces = async () => {
    for (const table of ['commands', 'vendor_request_shares', 'rate_limits', 'idempotent_responses'])
      await db.query(`delete from ${table}`)
  }

  const isAnyBlocked = async () =>
    (
      await db.query(
        'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
      )
    ).rowCount !== 0

  // An import that is stopped between two hashes holds its tenant's only slot, and a reset waits for it in the process.
  const isAnyHashWaiting = () => LANES.some((lane) => getHashQueue().countWaiting(lane) > 0)

  const prepare = async (name: string, route: Route, withToken = false) => {
    await clearTraces()
    const performer = await addPerformer(typeof route.access === 'string' ? 'admin' : 'user')
    const input =
      (await inputs[name]?.(performer, tenants)) ?? (await expectedResponses[name]?.input?.(tenants, 'admin')) ?? {}
    const { path, body } = buildRequest(route, input as Record<string, unknown>)
    const token = withToken ? performer.apiToken.token : performer.token
    // The first request of a token counts it, in a separate transaction.
    if (withToken) await call('a', 'GET', '/api/verify-token/', { token })
    const send = () => call('a', route.method, path, { token, ...(body && { body }) })
    return { performer, send }
  }

  /** Where a call can be stopped, and the tables that it changes, found by making it once. */
  const explore = async (name: string, route: Route) => {
    const { send } = await prepare(name, route)
    const before = await rows.look()
    const gate = setGate()
    await send()
    const transactions = decidesFirst(name) ? Math.min(1, gate.countTransactions()) : gate.countTransactions()
    const stops = Array.from({ length: transactions }, (_, at) => at + 1).flatMap((transaction): Stop[] => [
      { statement: 'begin', transaction },
      { statement: 'commit', transaction },
    ])
    return { stops, changes: await rows.changedSince(before) }
  }

  type Send = () => ReturnType<typeof call>

  /** Stops a call, revokes until the revocation is done or blocked by the call, and then resumes the call. */
  const race = async (stop: Stop, send: Send, sendRevocation: Send) => {
    const gate = setGate(stop)
    const responding = send().catch(() => BROKEN_OFF)
    await Promise.race([gate.reached, responding])
    let isRevoked = false
    const revoking = sendRevocation().finally(() => {
      isRevoked = true
    })
    // It may also wait inside the process, which no query shows. Then the call resumes first, and the revocation follows.
    const openAtMs = performance.now() + 10_000
    const isHeld = async () => isAnyHashWaiting() || performance.now() > openAtMs || (await isAnyBlocked())
    while (!isRevoked && !(await isHeld())) await pause(2)
    const isRevokedFirst = isRevoked
    const before = await rows.look()
    gate.open()
    const [response, revoked] = await Promise.all([responding, revoking])
    return { isRevokedFirst, before, response, revoked }
  }

  /** Races a sign-in: afterward no session opened with the old password may remain. */
  const runSignIn = async (revocation: 'deleted' | 'password reset', stop: Stop) => {
    await clearTraces()
    const performer = await addPerformer('user')
    const signIn = () => call('a', 'POST', '/api/user/login/', { body: { email: performer.email, password: PASSWORD } })
    const { response, revoked } = await race(stop, signIn, () => revoke(revocation, performer, 'user'))
    const { access: token } = response.body
    const check = token ? await call('a', 'GET', '/api/verify-token/', { token }) : undefined
    return [
      ...(revoked.status === 200 ? [] : [`the revocation returned ${revoked.status}`]),
      ...(check && check.status !== 401 ? [`gave a token that is accepted after the user was ${revocation}`] : []),
      ...(response.status >= 500 ? [`returned ${response.status}`] : []),
    ]
  }

  /** Races one call against one revocation, and returns which came first and the faults. */
  const run = async (name: string, route: Route, revocation: Revocation, stop: Stop) => {
    const { performer, send } = await prepare(name, route, revocation === 'token revoked')
    const { isRevokedFirst, before, response, revoked } = await race(stop, send, () =>
      revoke(revocation, performer, route.access),
    )
    const faults: string[] = []
    if (revoked.status !== 200)
      faults.push(`the revocation returned ${revoked.status}: ${JSON.stringify(revoked.body)}`)
    if (response.status === 500) faults.push(`returned 500: ${JSON.stringify(response.body)}`)
    if (isRevokedFirst) {
      const changed = await rows.changedSince(before)
      if (!REFUSED.includes(response.status)) faults.push(`returned ${response.status} after the revocation`)
      if (changed.length > 0) faults.push(`changed ${changed} after the revocation`)
    }
    return { isRevokedFirst, faults }
  }

  return { explore, run, runSignIn, close: rows.close }
}

export type Races = Awaited<ReturnType<typeof openRaces>>
