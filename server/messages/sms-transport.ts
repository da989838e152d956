import * as z from 'zod/mini'
import type { SmsGateway } from '../platform/config.ts'
import type { LookupResult, MessageTransport, OutgoingMessage, SendResult } from './transport.ts'

const RESPONSE_TIMEOUT_MS = 20_000
const LOOK_UP_PAGE = 200
// The gateway's clock may differ from ours.
const CLOCK_SLACK_MS = 2 * 60_000

// The connection was never established, so the gateway cannot have accepted the text.
const NEVER_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT|ERR_TLS/

const Accepted = z.object({ sid: z.string() })
const Refused = z.object({ code: z.optional(z.number()), message: z.optional(z.string()) })
const ListedMessages = z.object({
  messages: z.array(z.object({ sid: z.string(), body: z.string(), from: z.string(), date_created: z.string() })),
})

const describeError = (error: unknown) => {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return [message, cause?.code, cause?.message].filter(Boolean).join(' ')
}

const parseSendResult = async (response: Response): Promise<SendResult> => {
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) {
    const accepted = z.safeParse(Accepted, body)
    return accepted.success ? { kind: 'sent', gatewayId: accepted.data.sid } : { kind: 'sent' }
  }
  const said = z.safeParse(Refused, body)
  const reason = `the gateway returned ${response.status} ${(said.success && said.data.message) || ''}`.trim()
  // A redirect is not followed: it would send the text, which may be a code, to an address that was not configured.
  if (response.status < 400) return { kind: 'unreachable', reason }
  // The account is wrong or out of credit. The next message would fail too, and the operator can fix it.
  if ([401, 402, 403, 404, 429].includes(response.status)) return { kind: 'unreachable', reason }
  return { kind: response.status >= 500 ? 'unknown' : 'refused', reason }
}

export const createSmsTransport = (
  { apiUrl, accountSid, authToken, from }: SmsGateway,
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
): MessageTransport => {
  const closing = new AbortController()
  const address = `${apiUrl.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const signal = () => AbortSignal.any([closing.signal, AbortSignal.timeout(responseTimeoutMs)])

  const send = async ({ recipient, text }: OutgoingMessage): Promise<SendResult> => {
    const body = new URLSearchParams({ To: recipient, From: from, Body: text })
    try {
      const options = { headers: { authorization }, body, redirect: 'manual', signal: signal() } as const
      return await parseSendResult(await fetch(address, { method: 'POST', ...options }))
    } catch (error) {
      const reason = describeError(error)
      return { kind: NEVER_CONNECTED.test(reason) ? 'unreachable' : 'unknown', reason }
    }
  }

  const lookUp = async ({ recipient, text, attemptedAt }: OutgoingMessage): Promise<LookupResult> => {
    const query = new URLSearchParams({ To: recipient, PageSize: String(LOOK_UP_PAGE) })
    try {
      const response = await fetch(`${address}?${query}`, {
        headers: { authorization },
        redirect: 'manual',
        signal: signal(),
      })
      const reason = `looking it up was answered ${response.status}`
      if ([404, 405, 501].includes(response.status)) return { kind: 'not supported', reason }
      if (!response.ok) return { kind: 'retry later', reason }
      const listed = z.safeParse(ListedMessages, await response.json())
      if (!listed.success) return { kind: 'not supported', reason: 'the gateway’s list cannot be read' }
      const earliestMs = (attemptedAt?.getTime() ?? 0) - CLOCK_SLACK_MS
      // Some gateways add a prefix to the text.
      const found = listed.data.messages.find(
        (each) => each.body.endsWith(text) && !(Date.parse(each.date_created) < earliestMs),
      )
      return found ? { kind: 'sent', gatewayId: found.sid } : { kind: 'not found' }
    } catch (error) {
      return { kind: 'retry later', reason: describeError(error) }
    }
  }

  return { channel: 'sms', send, lookUp, close: () => closing.abort() }
}
