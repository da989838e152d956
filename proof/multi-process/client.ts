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

/** Longer than any response may take; a request that takes longer counts as unanswered. */
const ANSWER_WITHIN_MS = 15_000

/** A signed-in user who may use several processes in turn. */
export const signIn = async (
  url: string,
  tenantId: string,
  email = getAdmin(tenantId),
  { password = PASSWORD, answerWithinMs = ANSWER_WITHIN_MS } = {},
) => {
  const response = await fetch(`${url}/api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant': tenantId },
    body: JSON.stringify({ email, password }),
  })
  if (response.status !== 200) throw new Error(`sign-in returned ${response.status}: ${await response.text()}`)
  const { access, refresh } = (await response.json()) as { access: string; refresh: string }
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
          signal: AbortSignal.timeout(answerWithinMs),
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

/** Polls until the condition is true; returns the milliseconds that it took, or NaN on a timeout. */
export const msUntil = async (isSo: () => boolean | Promise<boolean>, withinMs: number) => {
  const begin = performance.now()
  while (!(await isSo())) {
    if (performance.now() - begin > withinMs) return Number.NaN
    await pause(20)
  }
  return performance.now() - begin
}
