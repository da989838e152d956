import { setTimeout as sleepMs } from 'node:timers/promises'
import { StarlinkError } from './errors.ts'
import { createRequestBudget, type RequestBudget } from './request-budget.ts'
import { toStorableJson } from './storable-json.ts'
import { createTokenSource } from './token.ts'
import { type OnResponse, type Sent, send } from './transport.ts'
import { Envelope } from './wire.ts'

export type RequestEvent = {
  call: string
  attempt: number
  status: number | null
  durationMs: number
  failure: StarlinkError | null
  /** The pause before the next attempt; null if this was the last one. */
  retryInMs: number | null
}

export type CallerOptions = {
  /** For example `https://starlink.com/api/public/v2`. */
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** All clients of a credential must share one budget. */
  budget?: RequestBudget
  now?: () => number
  sleep?: (ms: number) => Promise<unknown>
  random?: () => number
  onRequest?: (event: RequestEvent) => void
  signal?: AbortSignal
}

export type Call = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** A list becomes one parameter per value. */
  query?: Record<string, string | number | boolean | readonly string[]>
  body?: unknown
  /** May be retried if the vendor may have executed it. False for a command that costs money or disrupts a terminal. */
  repeatable: boolean
  timeoutMs?: number
  maxBytes?: number
  /** Called again if the call is retried after a response was cut off. */
  onResponse?: OnResponse
}

const MAX_ATTEMPTS = 5
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000
const TIMEOUT_MS = 30_000

/** Sends calls with a token, a request budget and exponential backoff. */
export const createCaller = (options: CallerOptions) => {
  const { now = Date.now, random = Math.random, signal, onRequest } = options
  const sleep = options.sleep ?? ((ms: number) => sleepMs(ms, undefined, { signal }))
  const budget = options.budget ?? createRequestBudget({ now, sleep })
  const tokens = createTokenSource({ ...options, now, signal })

  const sendOnce = async (call: Call): Promise<Sent> => {
    const token = await tokens.current().catch((error: unknown) => {
      throw toNotSent(error)
    })
    const name = formatCall(call)
    await budget.take(signal).catch(() => {
      throw new StarlinkError('was aborted while waiting for the request budget', {
        failure: 'busy',
        fate: 'refused',
        call: name,
      })
    })
    const response = await send({
      url: `${options.baseUrl.replace(/\/+$/, '')}${call.path}${formatQuery(call)}`,
      call: name,
      method: call.method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      maxBytes: call.maxBytes,
      signal,
      onResponse: call.onResponse,
    })
    if (response.status === 200 || response.status === 201) return response
    if (response.status === 401) tokens.discard(token)
    throw toError(name, response)
  }

  /** The text of the response, exactly as the vendor sent it. */
  const text = async (call: Call): Promise<string> => {
    let renewed = false
    for (let attempt = 1; ; attempt++) {
      const startedMs = now()
      const report = (status: number | null, failure: StarlinkError | null, retryInMs: number | null) =>
        onRequest?.({ call: formatCall(call), attempt, status, durationMs: now() - startedMs, failure, retryInMs })
      try {
        const { status, body } = await sendOnce(call)
        report(status, null, null)
        return body
      } catch (error) {
        if (!(error instanceof StarlinkError)) throw error
        const renew: boolean = error.status === 401 && error.failure === 'rejected' && !renewed
        const retries = !signal?.aborted && (renew || (attempt < MAX_ATTEMPTS && call.repeatable && isTransient(error)))
        const pauseMs = renew ? 0 : getPauseMs(attempt, random)
        report(error.status, error, retries ? pauseMs : null)
        if (!retries) throw error
        renewed ||= renew
        if (pauseMs > 0) await sleep(pauseMs)
        signal?.throwIfAborted()
      }
    }
  }

  /** The content of the envelope. Throws if the vendor returns `isValid: false`, whatever the status. */
  const content = async (call: Call): Promise<unknown> => {
    const envelope = parseEnvelope(await text(call))
    const name = formatCall(call)
    if (envelope === null) {
      throw new StarlinkError('returned no valid envelope', {
        failure: 'malformed',
        fate: 'unknown',
        status: 200,
        call: name,
      })
    }
    if (!envelope.isValid) {
      throw new StarlinkError('was rejected', {
        failure: 'rejected',
        fate: 'refused',
        status: 200,
        messages: listMessages(envelope),
        call: name,
      })
    }
    return envelope.content
  }

  return { text, content }
}

const isTransient = (error: StarlinkError) =>
  error.failure === 'busy' || error.failure === 'failing' || error.failure === 'unreachable'

const getPauseMs = (attempt: number, random: () => number) => {
  const ceilingMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
  return Math.round(ceilingMs / 2 + (random() * ceilingMs) / 2)
}

/** Without a token the call was not sent, so it certainly had no effect. */
const toNotSent = (error: unknown) =>
  error instanceof StarlinkError && error.fate === 'unknown'
    ? new StarlinkError(error.message, { failure: error.failure, fate: 'refused', call: 'No token:' })
    : error

const toError = (call: string, { status, body }: Sent) => {
  const envelope = parseEnvelope(body)
  const details = { status, call, messages: envelope ? listMessages(envelope) : [] }
  if (status === 429)
    return new StarlinkError('exceeded the rate limit', { ...details, failure: 'busy', fate: 'refused' })
  if (status >= 500)
    return new StarlinkError(`failed with ${status}`, { ...details, failure: 'failing', fate: 'unknown' })
  return new StarlinkError(`was rejected with ${status}`, { ...details, failure: 'rejected', fate: 'refused' })
}

const parseEnvelope = (text: string) => {
  try {
    return Envelope.parse(JSON.parse(toStorableJson(text)))
  } catch {
    return null
  }
}

/** Users are shown these. */
const MAX_MESSAGES = 10

const listMessages = (envelope: ReturnType<typeof Envelope.parse>) =>
  envelope.errors.flatMap(({ errorMessage }) => errorMessage || []).slice(0, MAX_MESSAGES)

const formatCall = (call: Call) => `${call.method} ${call.path}`

const formatQuery = ({ query }: Call) => {
  if (!query) return ''
  const entries = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  )
  return `?${new URLSearchParams(entries)}`
}
