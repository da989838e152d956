import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Rule } from '#contract/single-sign-on.ts'
import { BACKCHANNEL_LOGOUT_PATH } from '#contract/sso-paths.ts'
import { CLIENT, openProviderBrowser, startOpenIdProvider } from './openid-provider.ts'
import { startTestServer } from './server.ts'

export const RULES: Rule[] = [
  { claim: 'groups', operator: 'equals', value: 'blocked', outcome: 'refuse', group: '' },
  { claim: 'groups', operator: 'equals', value: 'noc', outcome: 'admin', group: 'staff' },
  { claim: 'email', operator: 'ends_with', value: '@a.example', outcome: 'user', group: 'north' },
]

const readCookie = (headers: Record<string, unknown>) =>
  String([headers['set-cookie']].flat().find((line) => String(line).startsWith('sso-browser=')) ?? '').split(';')[0] ??
  ''

/** A server whose tenants a and b have single sign-on with a real provider, each with one administrator. */
export const startSsoStack = async (environment: NodeJS.ProcessEnv = {}) => {
  const server = await startTestServer({ OUTBOUND_NETWORKS: '127.0.0.0/8', ...environment })
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const provider = await startOpenIdProvider(['http://a.example/sso/callback', 'http://b.example/sso/callback'], {
    backchannelLogoutUri: `${url}${BACKCHANNEL_LOGOUT_PATH}?tenant=a`,
  })
  const superuser = await server.connectSuperuser()
  const adminId = await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  await server.addUser('b', { email: 'bea@b.example', role: 'admin' })

  const buildSettings = (change: object = {}) => ({
    issuer: provider.issuer,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret as string | null,
    scopes: 'openid email profile groups offline_access',
    buttonLabel: 'Sign in with Example',
    rules: RULES,
    recheckMinutes: 5,
    graceMinutes: 60,
    isEnabled: true,
    isOnly: false,
    breakGlass: [] as string[],
    ...change,
  })

  const change = (tenant: string, token: string, settings: object) =>
    server.call(tenant, 'PUT', '/api/single-sign-on/', { token, body: settings })

  /** Signs an administrator in with the password, and sets up single sign-on. Returns the token. */
  const setUp = async (tenant: string, settings: object = {}) => {
    const { access } = await server.signIn(tenant, tenant === 'a' ? 'ada@a.example' : 'bea@b.example')
    const { status, body } = await change(tenant, access, buildSettings(settings))
    expect(status, JSON.stringify(body)).toBe(200)
    return access
  }

  const start = async (tenant: string, { confirm = false } = {}) => {
    const { status, headers, body } = await server.call(tenant, 'POST', '/api/single-sign-on/start/', {
      body: { confirm },
    })
    expect(status, JSON.stringify(body)).toBe(200)
    return { location: body.location as string, cookie: readCookie(headers) }
  }

  const finish = (tenant: string, query: string, cookie: string) =>
    server.call(tenant, 'POST', '/api/single-sign-on/finish/', { body: { query }, headers: { cookie } })

  /** Goes to the provider and returns. */
  const visitProvider = async (
    tenant: string,
    account: string,
    { confirm = false, browser = openProviderBrowser(provider.issuer) } = {},
  ) => {
    const { location, cookie } = await start(tenant, { confirm })
    const callback = await browser.signIn(location, account)
    return { query: callback.search.slice(1), cookie, location }
  }

  let people = 0
  return {
    server,
    provider,
    superuser,
    adminId,
    buildSettings,
    change,
    setUp,
    start,
    finish,
    visitProvider,
    signOn: async (tenant: string, account: string, browser = openProviderBrowser(provider.issuer)) => {
      const { query, cookie } = await visitProvider(tenant, account, { browser })
      return finish(tenant, query, cookie)
    },
    /** An account at the provider with its own address. */
    addAccount: (claims: object = {}) => {
      const name = `person${++people}`
      const email = `${name}@a.example`
      provider.accounts.set(name, { email, email_verified: true, name: `Person ${people}`, ...claims })
      return { name, email }
    },
    findUser: async (email: string, tenant = 'a') => {
      const { rows } = await superuser.query(
        'select id, role, group_name, customer_name from users where tenant_id = $1 and email = $2',
        [tenant, email],
      )
      return rows[0]
    },
    listEvents: async (kind: string, account: string) => {
      const { rows } = await superuser.query(
        "select details from security_events where tenant_id = 'a' and kind = $1 and account = $2 order by id",
        [kind, account],
      )
      return rows.map(({ details }) => details)
    },
    getMe: (token: string) => server.call('a', 'GET', '/api/verify-token/', { token }),
    refresh: (token: string) => server.call('a', 'POST', '/api/token/refresh/', { body: { refresh: token } }),
    passMinutes: (minutes: number) => {
      server.clock.now = new Date(server.clock.now.getTime() + minutes * 60_000)
    },
    close: async () => {
      await provider.close()
      await server.close()
    },
  }
}

type SsoStack = Awaited<ReturnType<typeof startSsoStack>>

/** One such server for the tests of a file; its settings and the provider's behavior are reset before each test. */
export const setupSso = () => {
  const context = {} as { stack: SsoStack; admin: string }
  beforeAll(async () => {
    context.stack = await startSsoStack()
    await context.stack.setUp('b')
  })
  beforeEach(async () => {
    Object.assign(context.stack.provider.behavior, { state: 'up', issuesRefreshTokens: true })
    context.admin = await context.stack.setUp('a')
  })
  afterAll(() => context.stack.close())
  return context
}
