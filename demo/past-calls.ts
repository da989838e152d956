import pino from 'pino'
import type { Method } from '#contract/route.ts'
import { type AppServices, createApp } from '#server/process/app.ts'

export interface PastRequest {
  method: Method
  path: string
  body?: object
}

export interface PastCalls {
  /** Signs a user in at a moment and makes calls from then on, a few minutes apart. */
  visit: (
    at: Date,
    who: { tenantId: string; email: string; password: string },
    requests: PastRequest[],
  ) => Promise<void>
  close: () => Promise<void>
}

const STEP_MS = 2 * 60_000
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Calls of the real API that the server takes for calls of the past: an app in this process, with a clock of its own. What
 * they leave behind (users, sessions, sealed entries of the editing log) is made by the same code as everything else.
 */
export const openPastCalls = async (services: AppServices): Promise<PastCalls> => {
  let now = services.now()
  const app = await createApp({ ...services, now: () => now }, pino({ level: 'silent' }), {
    maxEventLoopDelayMs: Number.POSITIVE_INFINITY,
  })

  const send = async (tenantId: string, { method, path, body }: PastRequest, token?: string) => {
    const response = await app.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...{ host: 'localhost', 'x-tenant': tenantId, 'user-agent': AGENT },
        ...(token && { authorization: `Bearer ${token}` }),
      },
      // Reserved for documentation, so that it is nobody's.
      remoteAddress: '198.51.100.24',
      ...(body && { payload: body }),
    })
    if (response.statusCode !== 200)
      throw new Error(`${method} ${path} of the demo's past returned ${response.statusCode}: ${response.body}`)
    return response.json()
  }

  return {
    visit: async (at, { tenantId, email, password }, requests) => {
      now = at
      const { access } = await send(tenantId, {
        ...{ method: 'POST', path: '/user/login/', body: { email, password } },
      })
      for (const request of requests) {
        now = new Date(now.getTime() + STEP_MS)
        await send(tenantId, request, access)
      }
    },
    close: () => app.close(),
  }
}
