import { api } from '#contract/api.ts'
import { buildRequest as buildCall } from '#contract/request.ts'
import type { Route, RouteTable } from '#contract/route.ts'
import { listScopes } from '#contract/scopes.ts'
import { addApiToken } from './add-api-token.ts'
import { type Caller, expectForToken, isTokenCaller, tokenCallers } from './callers.ts'
import { expectedResponses } from './expected-responses.ts'
import type { Expected } from './expected-statuses.ts'
import { findMarks, type Mark } from './marks.ts'
import type { SeededTenants } from './seeded-tenants.ts'

/** Every call of the contract by its name. */
export const everyCall = Object.entries(api as Record<string, RouteTable>).flatMap(([table, calls]) =>
  Object.entries(calls).map(([name, route]): [string, Route] => [`${table}.${name}`, route]),
)

/** What each caller may see; every other mark in a response is a leak. */
const visible: Record<Caller, Mark[]> = {
  anonymous: [],
  'bad token': [],
  'share link': [],
  'foreign user': [],
  'foreign admin': [],
  deleted: [],
  'other tenant': ['foreign', 'metadata'],
  'other group': ['south', 'metadata'],
  without: ['north'],
  with: ['north', 'metadata'],
  admin: ['north', 'south', 'shared', 'metadata'],
  // Its own name.
  'must change': ['north'],
  token: ['north', 'metadata'],
  'service token': ['north', 'south', 'shared', 'metadata'],
  'narrow token': ['north', 'south', 'shared', 'metadata'],
  // It reads no metadata, and no pools except those with events.
  'wall session': ['north', 'south', 'shared'],
  'token of another tenant': [],
  'revoked token': [],
  'expired token': [],
}

/** The scopes of which a token needs at least one for a call. */
export const getScopes = (name: string, route: Route) => {
  const [table = '', call = ''] = name.split('.')
  return listScopes(table, call, route)
}

export const buildRequest = (route: Route, input: Record<string, unknown>) => {
  const { path, body } = buildCall(route, input)
  return { path: `/api${path}`, body: body === undefined ? undefined : (JSON.parse(body) as Record<string, unknown>) }
}

/** Every kind of caller, ready to make any call in seeded tenants. */
export const openAccessWalk = async (tenants: SeededTenants) => {
  const tokens: Partial<Record<Caller, string>> = { 'bad token': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' }
  const { users } = tenants

  const signInAll = async () => {
    const of: [Caller, { signIn: () => Promise<string> }][] = [
      ['foreign user', users.foreignUser],
      ['foreign admin', users.foreignAdmin],
      ['other tenant', users.foreignAdmin],
      ['other group', users.otherGroup],
      ['without', users.without],
      ['with', users.with],
      ['admin', users.admin],
      ['must change', users.mustChange],
    ]
    for (const [caller, user] of of) tokens[caller] = await user.signIn()
  }

  tokens['share link'] = (await tenants.addShareLink()).secret
  tokens.deleted = await users.deleted.signIn()
  await signInAll()
  const removed = await tenants.call('a', 'DELETE', `/api/delete-user/${users.deleted.id}/`, {
    token: tokens.admin as string,
  })
  if (removed.status !== 200) throw new Error(`deleting a user returned ${removed.status}`)
  const { superuser } = tenants
  const service = await tenants.call('a', 'POST', '/api/api-tokens/', {
    token: tokens.admin as string,
    body: {
      name: 'Walk',
      scopes: tokenCallers['service token'].scopes,
      expiresInDays: 1,
      networks: [],
      role: 'admin',
      group: 'staff',
    },
  })
  tokens['service token'] = service.body.token
  const addToken = async (caller: keyof typeof tokenCallers, tenant: string, userId: number, more: object = {}) => {
    tokens[caller] = (
      await addApiToken(superuser, tenant, { userId, scopes: tokenCallers[caller].scopes, ...more })
    ).token
  }
  await addToken('token', 'a', users.with.id)
  await addToken('narrow token', 'a', users.admin.id)
  await addToken('wall session', 'a', users.admin.id)
  await addToken('token of another tenant', 'b', users.foreignAdmin.id)
  await addToken('revoked token', 'a', users.admin.id, { isRevoked: true })
  await addToken('expired token', 'a', users.admin.id, { expiresIn: '-1 day' })
  const origin = await tenants.app.listen({ host: '127.0.0.1', port: 0 })

  /** A stream has no end, so its first event counts as its response. */
  const readFirstOfStream = async (tenant: string, path: string, token: string | undefined) => {
    const stop = new AbortController()
    const headers = { 'x-tenant': tenant, ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(origin + path, { headers, signal: stop.signal })
    const { value } = (await response.body?.getReader().read()) ?? {}
    stop.abort()
    const { status, headers: received } = response
    return { status, headers: Object.fromEntries(received), text: Buffer.from(value ?? []).toString() }
  }

  const callAs = async (caller: Caller, route: Route, input: Record<string, unknown>) => {
    const tenant = caller === 'other tenant' ? 'b' : 'a'
    const token = tokens[caller]
    const { path, body } = buildRequest(route, input)
    if (route.media === 'text/event-stream') return readFirstOfStream(tenant, path, token)
    const response = await tenants.call(tenant, route.method, path, { ...(body && { body }), ...(token && { token }) })
    const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body)
    const { status, headers } = response
    return { status, headers, text: text + JSON.stringify(headers) }
  }

  const countEntries = async () =>
    Number((await tenants.superuser.query("select count(*) from audit_log where tenant_id = 'a'")).rows[0].count)

  /** Makes one call as one caller, and returns the faults of the response and of its log entries. */
  const findFaults = async (name: string, route: Route, caller: Caller) => {
    const expected = expectedResponses[name]
    const input = ((await expected?.input?.(tenants, caller)) ?? {}) as Record<string, unknown>
    const before = await countEntries()
    const { status, text } = await callAs(caller, route, input)
    const written = (await countEntries()) - before
    const statuses = (expected as Expected).statuses
    const wanted = [
      isTokenCaller(caller) ? expectForToken(statuses, caller, getScopes(name, route)) : statuses[caller],
    ].flat() as number[]
    const records = expected?.records ?? 0
    const leaked = findMarks(text).filter((mark) => !visible[caller].includes(mark))
    if (name === 'identity.logout') await signInAll()
    return [
      ...(wanted.includes(status) ? [] : [`returned ${status} instead of ${wanted}: ${text}`]),
      ...(caller === 'must change' && status === 403 && !text.includes('"error":"change_password"')
        ? [`does not say that the password has to be changed: ${text}`]
        : []),
      ...leaked.map((mark) => `shows what is ${mark}: ${text}`),
      ...(caller === 'admin' && written !== records ? [`wrote ${written} entries instead of ${records}`] : []),
      ...([401, 403, 404].includes(status) && written !== 0 ? [`was refused and wrote ${written} entries`] : []),
    ]
  }

  return { origin, callAs, findFaults }
}
