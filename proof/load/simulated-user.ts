import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiRequest, ApiResponse, Browser } from './browser.ts'
import type { Ledger } from './ledger.ts'
import { type Customer, PASSWORD } from './population.ts'

interface Options {
  customer: Customer
  browser: Browser
  ledger: Ledger
  stop: AbortSignal
  /** Scales the pauses of this user. */
  thinkMs: readonly [least: number, most: number]
}

const PERIODS = [15, 180, 1440, 1440, 10_080, 43_200, 86_400]
const RENEW_AFTER_MS = 10 * 60_000

const pick = <T>(values: readonly T[]) => values[Math.floor(Math.random() * values.length)] as T

/** Signs in, opens the dashboard with its live stream, and then acts like a user until stopped. */
export const simulateUser = async ({ customer, browser, ledger, stop, thinkMs }: Options) => {
  const [least, most] = thinkMs
  const think = () => sleep(least + Math.random() * (most - least), undefined, { signal: stop })
  const etags = new Map<string, string>()
  let renewAtMs = 0
  let refresh = ''

  const send = async (kind: 'read' | 'write', call: string, request: ApiRequest): Promise<ApiResponse | undefined> => {
    try {
      const response = await browser.send(request)
      ledger.note(kind, call, response.tookMs)
      if (response.status === 200 || response.status === 304) return response
      ledger.recordError(`${call} ${response.status} ${response.text.slice(0, 100)}`)
    } catch (error) {
      if (!stop.aborted) ledger.recordError(`${call} ${(error as Error).message}`)
    }
    return undefined
  }

  const list = async (call: string, path: string) => {
    const response = await send('read', call, { path, etag: etags.get(path) })
    if (response?.etag) etags.set(path, response.etag)
  }

  const storeTokens = (response: ApiResponse | undefined) => {
    if (!response) return
    const given = JSON.parse(response.text) as { access: string; refresh?: string }
    refresh = given.refresh ?? refresh
    browser.signInAs(given.access)
    renewAtMs = performance.now() + RENEW_AFTER_MS
  }

  const signIn = async () => {
    const body = { email: customer.email, password: PASSWORD }
    storeTokens(await send('write', 'sign in', { path: '/user/login/', body }))
  }

  const followLive = async () => {
    while (!stop.aborted) {
      try {
        const stream = await browser.open({ path: '/live/' }, stop)
        if (stream.statusCode !== 200) ledger.recordError(`live stream ${stream.statusCode}`)
        for await (const _ of stream);
      } catch (error) {
        if (!stop.aborted) ledger.recordError(`live stream ${(error as Error).message}`)
      }
      if (!stop.aborted) await sleep(1_000)
    }
  }

  const viewTerminal = async () => {
    const nickname = encodeURIComponent(pick(customer.nicknames))
    await send('read', 'terminal page', { path: `/terminals/${nickname}/1440/`, body: {} })
    await send('read', 'outlook of a line', { path: `/service-lines/${nickname}/outlook/` })
    await think()
    await send('read', 'another period', { path: `/terminals/${nickname}/${pick(PERIODS)}/`, body: {} })
  }

  const editTable = async () => {
    await list('table', '/terminals/details/')
    await think()
    const nickname = encodeURIComponent(pick(customer.nicknames))
    const path = `/service-lines/${nickname}/metadata/metadata1/`
    await send('write', 'edit in the table', {
      method: 'PATCH',
      path,
      body: { value: `Dock ${Math.floor(Math.random() * 1e6)}` },
    })
  }

  const runAdministrator = async () => {
    await send('read', 'list of users', { path: '/get-users/' })
    await think()
    await send('read', 'editing log', { path: '/get-logs/?limit=100' })
  }

  const profile = async () => {
    await send('read', 'profile', { path: '/user-profile/' })
  }

  const journeys = [
    viewTerminal,
    viewTerminal,
    viewTerminal,
    viewTerminal,
    () => list('dashboard', '/terminals/'),
    () => list('dashboard', '/terminals/'),
    editTable,
    editTable,
    customer.isAdministrator ? runAdministrator : profile,
  ]

  try {
    await signIn()
    await send('read', 'settings', { path: '/config/' })
    await send('read', 'permissions', { path: '/rbac/my-effective/' })
    await list('dashboard', '/terminals/')
    const following = followLive()
    while (!stop.aborted) {
      await think()
      if (performance.now() > renewAtMs)
        storeTokens(await send('write', 'token', { path: '/token/refresh/', body: { refresh } }))
      await pick(journeys)()
    }
    await following
  } catch (error) {
    if (!stop.aborted) throw error
  }
}
