import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

export const CLIENT = { client_id: 'dishboard', client_secret: 'a secret of the client' }

const PAGE = (title: string, content: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${content}</main></html>`

const SIGN_IN_PAGE = PAGE(
  'Example Identity',
  '<form method="post"><label>Account <input name="account" autofocus></label> <button>Sign in</button></form>',
)

const createKey = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: crypto.randomUUID() } as JWK
}

/** The provider's claims about an account. */
export type AccountClaims = Record<string, unknown>

interface ProviderOptions {
  /** Where logouts are posted: for `dishboard` with the session id, for `other` with the subject only. */
  backchannelLogoutUri?: string
  port?: number
}

/** A real OpenID provider on loopback, with the accounts and the behavior that the test sets. */
export const startOpenIdProvider = async (
  callbacks: readonly string[],
  { backchannelLogoutUri, port = 0 }: ProviderOptions = {},
) => {
  const accounts = new Map<string, AccountClaims>()
  const behavior = {
    /** `away` closes connections, `hangs` never responds. */
    state: 'up' as 'up' | 'away' | 'hangs',
    issuesRefreshTokens: true,
  }
  let respond: (request: IncomingMessage, response: ServerResponse) => unknown = () => {}
  const server = createServer((request, response) => {
    if (behavior.state === 'away') return request.socket.destroy()
    if (behavior.state === 'up') return respond(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const configure = (signingKey: JWK): Configuration => ({
    clients: ['dishboard', 'other'].map((client_id) => ({
      ...CLIENT,
      client_id,
      redirect_uris: [...callbacks],
      grant_types: ['authorization_code', 'refresh_token'],
      post_logout_redirect_uris: callbacks.map((callback) => new URL('/login', callback).href),
      ...(backchannelLogoutUri && {
        backchannel_logout_uri: backchannelLogoutUri,
        backchannel_logout_session_required: client_id === 'dishboard',
      }),
    })),
    jwks: { keys: [signingKey] },
    // The default refuses loopback addresses, and has a timeout that a busy machine may exceed.
    fetch: (input, { signal: _, ...init } = {}) => fetch(input, { ...init, dispatcher: undefined } as RequestInit),
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = PAGE('Log out?', `${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`)
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => {
      const claims = accounts.get(accountId)
      return claims && { accountId, claims: () => ({ sub: accountId, ...claims }) }
    },
    issueRefreshToken: () => behavior.issuesRefreshTokens,
    rotateRefreshToken: true,
    // The organization has consented for its users.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId as string,
        accountId: oidc.session?.accountId as string,
      })
      grant.addOIDCScope('openid email profile groups offline_access')
      await grant.save()
      return grant
    },
  })

  let key: JWK
  /** Signs with a new key from now on, and publishes only this one. */
  const rotateKeys = async () => {
    key = await createKey()
    const provider = new Provider(issuer, configure(key))
    const callback = provider.callback()
    respond = async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return callback(request, response)
      const { prompt } = await provider.interactionDetails(request, response)
      if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(SIGN_IN_PAGE)
      const accountId = new URLSearchParams(await text(request)).get('account') ?? ''
      const result = accounts.has(accountId) ? { login: { accountId } } : { error: 'access_denied' }
      await provider.interactionFinished(request, response, { [prompt.name]: {}, ...result })
    }
  }
  await rotateKeys()

  return {
    issuer,
    accounts,
    behavior,
    rotateKeys,
    /** A token signed by the provider. */
    sign: async (claims: JWTPayload, type = 'logout+jwt') =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: key.kid as string, typ: type })
        .sign(await importJWK(key as Parameters<typeof importJWK>[0], 'RS256')),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A browser at the provider: follows redirects and signs in until it is redirected back. Returns that URL. */
export const openProviderBrowser = (issuer: string) => {
  const jar = new Map<string, string>()
  const visit = async (url: string, body?: URLSearchParams) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie },
      ...(body && { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] as string).split(/=(.*)/s)
      jar.set(name, value)
    }
    return response
  }
  return {
    /** Confirms the provider's logout prompt. */
    signOut: async (location: string) => {
      const form = await (await visit(location)).text()
      const read = (pattern: RegExp) => pattern.exec(form)?.[1] ?? ''
      const response = await visit(
        read(/action="([^"]+)"/),
        new URLSearchParams({ xsrf: read(/name="xsrf" value="([^"]+)"/), logout: 'yes' }),
      )
      if (response.status !== 303) throw new Error(`the logout returned ${response.status}: ${await response.text()}`)
    },
    signIn: async (location: string, account: string): Promise<URL> => {
      let url = location
      let response = await visit(url)
      for (let steps = 0; steps < 20; steps++) {
        const next = response.headers.get('location')
        if (next === null && response.status !== 200)
          throw new Error(`the provider returned ${response.status}: ${await response.text()}`)
        if (next === null) response = await visit(url, new URLSearchParams({ account }))
        else {
          url = new URL(next, url).href
          if (!url.startsWith(issuer)) return new URL(url)
          response = await visit(url)
        }
      }
      throw new Error('the provider redirects without end')
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>
