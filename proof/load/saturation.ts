import { setTimeout as pause } from 'node:timers/promises'
import { type ApiRequest, createBrowser } from './browser.ts'
import { PASSWORD } from './population.ts'
import type { Session } from './session.ts'

interface Options {
  url: string
  sessions: readonly Session[]
  connections: number
  durationMs: number
}

/** Sooner than Retry-After, but not at once: the clients share the machine with the server. */
const TRY_AGAIN_AFTER_MS = 500

/** All users at once, without a pause: more than the machine can handle. */
export const measureSaturation = async ({ url, sessions, connections, durationMs }: Options) => {
  const found = { succeeded: 0, refused: 0, wrong: new Map<string, number>(), longestMs: 0 }
  const endsAt = performance.now() + durationMs
  const recordWrong = (what: string) => found.wrong.set(what, (found.wrong.get(what) ?? 0) + 1)

  const rush = async (nth: number) => {
    const browser = createBrowser(url, `10.1.${nth >> 8}.${nth & 255}`)
    const { customer, access } = sessions[nth % sessions.length] as Session
    const nickname = encodeURIComponent(customer.nicknames[nth % customer.nicknames.length] as string)
    const calls: ApiRequest[] = [
      { path: `/terminals/${nickname}/86400/`, body: {} },
      { path: '/terminals/details/' },
      { path: '/user/login/', body: { email: customer.email, password: PASSWORD } },
      { path: '/rbac/my-effective/' },
    ]
    browser.signInAs(access)
    while (performance.now() < endsAt) {
      const call = calls[nth % calls.length] as ApiRequest
      const begin = performance.now()
      try {
        const { status, retryAfter } = await browser.send(call)
        if (status === 200) found.succeeded++
        else if ((status === 429 || status === 503) && retryAfter !== undefined) {
          found.refused++
          await pause(TRY_AGAIN_AFTER_MS)
        } else recordWrong(`${call.path} ${status}`)
      } catch (error) {
        recordWrong(`${call.path} ${(error as Error).message}`)
      }
      found.longestMs = Math.max(found.longestMs, performance.now() - begin)
    }
    browser.close()
  }

  await Promise.all(Array.from({ length: connections }, (_, nth) => rush(nth)))
  return found
}
