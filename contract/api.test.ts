import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { api } from './api.ts'
import { pathNames, type Route, type RouteTable } from './route.ts'
import { findScope, scopeCodes } from './scopes.ts'

const routes = Object.entries(api as Record<string, RouteTable>).flatMap(([table, entries]) =>
  Object.entries(entries).map(([name, route]): [string, Route] => [`${table}.${name}`, route]),
)

const calls = (wanted: (route: Route) => boolean) =>
  routes.filter(([, route]) => wanted(route)).map(([, { method, path }]) => `${method} ${path}`)

describe('the route table', () => {
  it('makes only these calls public', () => {
    expect(calls((route) => route.access === 'public')).toEqual([
      'GET /config/',
      'POST /user/login/',
      'POST /verify-otp/',
      'POST /send-code/',
      'POST /passkey-sign-in/options/',
      'POST /passkey-sign-in/',
      'POST /forgot-password/',
      'POST /token/refresh/',
      'POST /single-sign-on/start/',
      'POST /single-sign-on/finish/',
    ])
  })

  it('makes these calls public and reads who is signed in', () => {
    expect(calls((route) => route.access === 'optional')).toEqual(['POST /ticket/', 'POST /assistant/'])
  })

  it('restricts these calls to administrators', () => {
    expect(calls((route) => route.access === 'admin')).toEqual([
      'GET /tenant-settings/',
      'PATCH /tenant-settings/',
      'GET /single-sign-on/',
      'PUT /single-sign-on/',
      'POST /single-sign-on/try/',
      'POST /single-sign-on/test/',
      'GET /acp/matrix/',
      'GET /acp/effective/:user_id/',
      'PATCH /acp/value/',
      'GET /get-users/',
      'POST /create-user/',
      'PUT /update-user/:user_id/',
      'DELETE /delete-user/:user_id/',
      'GET /user-groups/',
      'POST /end-user-sessions/:user_id/',
      'POST /reset-user-factors/:user_id/',
      'POST /import-users/',
      'POST /admin-notification/',
      'GET /get-logs/',
      'GET /get-logs/choices/',
      'GET /get-logs/csv/',
      'GET /get-logs/verify/',
      'GET /security-events/',
      'GET /security-events/csv/',
      'POST /audit-mail/',
      'GET /api-tokens/',
      'POST /api-tokens/',
      'POST /wall-sessions/',
      'DELETE /api-tokens/:tokenId/',
      'GET /message-deliveries/',
      'GET /message-deliveries/:messageId/',
      'POST /message-deliveries/:messageId/resend/',
      'POST /incidents/:id/acknowledge/',
      'POST /incidents/:id/snooze/',
      'POST /incidents/:id/merge/',
      'POST /incidents/:id/split/',
      'POST /incidents/:id/undo/',
      'POST /maintenance-windows/',
      'PUT /maintenance-windows/:id/',
      'DELETE /maintenance-windows/:id/',
      'PUT /availability/target/',
      'GET /report-preview/',
      'GET /report-schedules/',
      'POST /report-schedules/',
      'PUT /report-schedules/:id/',
      'DELETE /report-schedules/:id/',
      'POST /report-schedules/:id/send/',
      'GET /share-links/',
      'POST /share-links/',
      'DELETE /share-links/:id/',
      'GET /user-data/:user_id/',
      'POST /erase-user/:user_id/',
      'GET /executive-months/',
      'GET /executive-months/pdf/',
      'GET /executive-summary/',
      'GET /account-group-plans/:group/',
      'GET /webhooks/',
      'POST /webhooks/',
      'PUT /webhooks/:id/',
      'DELETE /webhooks/:id/',
      'POST /webhooks/:id/rotate-secret/',
      'POST /webhooks/:id/pause/',
      'POST /webhooks/:id/test/',
      'GET /webhooks/:id/deliveries/',
      'GET /webhooks/:id/deliveries/:deliveryId/',
      'POST /webhooks/:id/deliveries/:deliveryId/resend/',
    ])
  })

  it('names a scope for every call that is not public, and keeps these from all tokens', () => {
    const named = routes.map(([name, route]) => {
      const [table = '', call = ''] = name.split('.')
      return { name, access: route.access, scope: findScope(table, call, route) }
    })
    expect(named.filter(({ access, scope }) => (access === 'public') !== (scope === undefined))).toEqual([])
    expect(named.filter(({ scope }) => scope === 'never').map(({ name }) => name)).toEqual([
      'identity.startConfirmation',
      'identity.confirmPasskey',
      'identity.confirmCode',
      'identity.confirmPassword',
      'identity.logout',
      'singleSignOn.confirm',
      'singleSignOn.change',
      'singleSignOn.test',
      'users.resetFactors',
      'profile.resetPassword',
      'profile.auditMail',
      'profile.checkOtp',
      'profile.consentToSms',
      'profile.changePhone',
      'profile.sendPhoneCode',
      'profile.verifyPhone',
      'sessions.list',
      'sessions.end',
      'sessions.endOthers',
      'factors.list',
      'factors.startTotp',
      'factors.confirmTotp',
      'factors.removeTotp',
      'factors.startPasskey',
      'factors.addPasskey',
      'factors.removePasskey',
      'factors.createRecoveryCodes',
      'apiTokens.listOwn',
      'apiTokens.createOwn',
      'apiTokens.revokeOwn',
      'apiTokens.list',
      'apiTokens.createService',
      'apiTokens.createWall',
      'apiTokens.revoke',
    ])
    expect(scopeCodes.filter((scope) => !named.some((each) => each.scope === scope))).toEqual([])
  })

  it('contains each call once, whatever its parameters are named', () => {
    const shapes = routes.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':').replace(/\/$/, '')}`)
    expect(new Set(shapes).size).toBe(shapes.length)
  })
})

type Json = Record<string, unknown>

/** The unbounded values of an input, as paths. */
const unbounded = (schema: Json, at: string): string[] => {
  const inside = [
    ...((schema.anyOf ?? []) as Json[]).flatMap((choice) => unbounded(choice, at)),
    ...Object.entries((schema.properties ?? {}) as Json).flatMap(([key, value]) =>
      unbounded(value as Json, `${at}.${key}`),
    ),
    ...(schema.items ? unbounded(schema.items as Json, `${at}[]`) : []),
  ]
  if (schema.type === 'string' && !schema.maxLength && !schema.enum && !/\{\d+,\d+\}\$$/.test(String(schema.pattern)))
    return [at]
  if (schema.type === 'array' && !schema.maxItems) return [at, ...inside]
  if (schema.type === 'object' && schema.additionalProperties !== false) return [at, ...inside]
  return inside
}

describe.each(routes)('%s', (name, route) => {
  it('accepts a strict object whose values are all bounded', () => {
    const json = z.toJSONSchema(route.input, { io: 'input' }) as Json
    expect(json.type).toBe('object')
    expect(unbounded(json, name)).toEqual([])
  })

  it('requires the names in its path', () => {
    const json = z.toJSONSchema(route.input, { io: 'input' }) as Json
    expect(json.required ?? []).toEqual(expect.arrayContaining(pathNames(route.path)))
  })
})

it('reads the tokens of a sign-in in both spellings', () => {
  const answer = api.identity.login.output
  const tokens = { access: 'a', refresh: 'r', requires2FA: false, newUser: false }
  expect(z.decode(answer, { access: 'a', refresh: 'r', requires2FA: false, newUser: false })).toEqual(tokens)
  expect(z.decode(answer, { access_token: 'a', refresh_token: 'r' })).toEqual(tokens)
  expect(z.decode(answer, { token: 'a', newUser: 'true' })).toEqual({ ...tokens, refresh: null, newUser: true })
  expect(z.decode(answer, { requires2FA: true })).toEqual({ ...tokens, access: null, refresh: null, requires2FA: true })
  expect(z.encode(answer, { ...tokens, access: null, refresh: null, requires2FA: true })).toEqual({
    requires2FA: true,
    newUser: false,
  })
})

it('leaves an empty tenant configuration exactly empty', () => {
  expect(Object.keys(z.decode(api.tenants.config.output, {}))).toEqual([])
  expect(Object.keys(z.encode(api.tenants.config.output, {}))).toEqual([])
})

it('reads permissions under an older name, and an unknown level as the lowest', () => {
  const { output } = api.access.myEffective
  expect(z.decode(output, { notes: 'read_write', rename_terminal: 'true' })).toEqual({
    metadata: 'read_write',
    rename_terminal: true,
  })
  expect(z.decode(output, { metadata: 'everything' })).toEqual({ metadata: 'cannot_see' })
  expect(z.decode(output, { plan_manager: false })).toEqual({ plan_manager: false })
})

it('reads a plan with a single line, from older responses, as a plan with a list', () => {
  const plans = [
    { nickname: 'ACME-North-1', service_line: 'SL-1', total_usage: 3, data_usage_limit_GB: 50, price_usd: 65 },
  ]
  expect(z.decode(api.executive.summary.output, { plans }).plans[0]).toMatchObject({
    plan_name: 'ACME-North-1',
    usage_limit: 50,
    service_lines: [{ service_line: 'SL-1', total_usage: 3, last_month_usage: null }],
  })
  expect(z.decode(api.executive.summary.output, { plans: [{}] }).plans[0]?.plan_name).toBe('UNKNOWN')
})

it('accepts the lines of a pool whole or by number and limits as digits, with Hard Cap as the default', () => {
  const line = { service_line: 'SL-2', nickname: 'Nome', kit_number: null }
  const pool_details = { plan_name: 'Pool', usage_limit: '500', assigned_service_lines: ['SL-1', line] }
  expect(z.decode(api.plans.create.input, { pool_details }).pool_details).toEqual({
    plan_name: 'Pool',
    over_limit_behavior: 'Hard Cap',
    usage_limit: 500,
    assigned_service_lines: ['SL-1', 'SL-2'],
  })
})
