import { Secret, TOTP } from 'otpauth'
import pino from 'pino'
import type { Method } from '#contract/route.ts'
import { type AppServices, createApp } from '#server/process/app.ts'

export interface PastRequest {
  method: Method
  path: string
  body?: object
}

interface PastUser {
  tenantId: string
  email: string
  /** Until the user has chosen another one. */
  password: string
}

interface PastCalls {
  /**
   * Signs a user in at a time in the past and makes calls from then on, a few minutes apart. A user who adds an
   * authenticator app, which nobody has, makes no more visits.
   */
  visit: (at: Date, who: PastUser, requests: PastRequest[], options: { addsAuthenticator: boolean }) => Promise<void>
  close: () => Promise<void>
}

const STEP_MS = 2 * 60_000
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Calls of the real API that run at a time in the past: an app in this process, with its own clock. What they leave behind
 * (users, sessions, sealed entries of the editing log) is written by the regular code.
 */
export const openPastCalls = async (services: AppServices): Promise<PastCalls> => {
  let now = services.now()
  const chosenPasswords = new Map<string, string>()
  /** The cookies of each user's browser: only the first sign-in is on a new device. */
  const cookies = new Map<string, string>()
  const app = await createApp({ ...services, now: () => now }, pino({ level: 'silent' }), {
    maxEventLoopDelayMs: Number.POSITIVE_INFINITY,
  })

  const send = async ({ tenantId, email }: PastUser, { method, path, body }: PastRequest, token?: string) => {
    const cookie = cookies.get(email)
    const response = await app.inject({
      method,
      url: `/api${path}`,
      headers: {
        host: 'localhost',
        'x-tenant': tenantId,
        'user-agent': AGENT,
        ...(cookie && { cookie }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      // Reserved for documentation.
      remoteAddress: '198.51.100.24',
      ...(body && { payload: body }),
    })
    if (response.statusCode !== 200)
      throw new Error(`${method} ${path} of the demo's past returned ${response.statusCode}: ${response.body}`)
    if (response.cookies.length > 0)
      cookies.set(email, response.cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
    return response.json()
  }

  /**
   * Signs in. Null if an authenticator app is asked for, which was added before an interruption. A new user has to choose a
   * password first, and uses it from then on.
   */
  const signIn = async (user: PastUser): Promise<string | null> => {
    const { email, password } = user
    const known = chosenPasswords.get(email) ?? password
    const logIn: PastRequest = { method: 'POST', path: '/user/login/', body: { email, password: known } }
    const { access, newUser } = await send(user, logIn)
    if (!newUser) return access
    const chosen = `${known}-own`
    const body = { currentPassword: known, newPassword: chosen }
    await send(user, { method: 'POST', path: '/reset-password/', body }, access)
    chosenPasswords.set(email, chosen)
    return access
  }

  const addAuthenticator = async (user: PastUser, access: string) => {
    const path = '/my-factors/totp/'
    const { secret } = await send(user, { method: 'POST', path }, access)
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
    await send(user, { method: 'POST', path: `${path}confirm/`, body: { code } }, access)
  }

  return {
    visit: async (at, user, requests, { addsAuthenticator }) => {
      now = at
      const access = await signIn(user)
      if (access === null) return
      for (const request of requests) {
        now = new Date(now.getTime() + STEP_MS)
        await send(user, request, access)
      }
      if (addsAuthenticator) await addAuthenticator(user, access)
    },
    close: () => app.close(),
  }
}
