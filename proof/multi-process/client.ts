import { setTimeout as pause } from 'node:timers/promises'
import { getAdmin, PASSWORD } from './tenants.ts'

export interface CallResult {
  status: number
  retryAfter: string | null
  body: unknown
}

export interface Request {
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
}

/** A request that takes longer counts as unanswered. A busy machine and a restart may delay a response. */
const ANSWER_WITHIN_MS = 120_000

/** Only ends the wait for what never happens: a machine that is busy with other work may take minutes. */
export const STUCK_AFTER_MS = 600_000

const requestSession = async (url: string, tenantId: string, credentials: { email: string; password: string }) => {
  const begin = performance.now()
  while (true) {
    const response = await fetch(`${url}/api/user/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant': tenantId },
      body: JSON.stringify(credentials),
    })
    if (response.status === 200) return (await response.json()) as { access: string; refresh: string }
    const text = await response.text()
    if (response.status !== 503 || performance.now() - begin > STUCK_AFTER_MS)
      throw new Error(`sign-in returned ${response.status}: ${text}`)
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** A signed-in user who may use several processes in turn. */
export const signIn = async (
  url: string,
  tenantId: string,
  email = getAdmin(tenantId),
  { password = PASSWORD } = {},
) => {
  const { access, refresh } = await requestSession(url, tenantId, { email, password })
  return {
    tenantId,
    email,
    access,
    refresh,
    /** Undefined if there was no response, so the outcome is unknown. */
    call: async (at: string, { method, path, body, headers }: Request): Promise<CallResult | undefined> => {
      try {
        const response = await fetch(`${at}/api${path}`, {
          method,
          headers: {
            authorization: `Bearer ${access}`,
            'x-tenant': tenantId,
            ...(body && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        })
        const text = await response.text()
        const isJson = response.headers.get('content-type')?.startsWith('application/json')
        return {
          status: response.status,
          retryAfter: response.headers.get('retry-after'),
          body: isJson ? JSON.parse(text) : text,
        }
      } catch {
        return undefined
      }
    },
  }
}

export type Client = Awaited<ReturnType<typeof signIn>>

/** Polls until the condition is true; returns the milliseconds that it took, or NaN if it never is. */
export const msUntil = async (isSo: () => boolean | Promise<boolean>) => {
  const begin = performance.now()
  while (!(await isSo())) {
    if (performance.now() - begin > STUCK_AFTER_MS) return Number.NaN
    await pause(20)
  }
  return performance.now() - begin
}
