import { PASSWORD, type Reseller, type Stack } from './stack.ts'

interface Span {
  from: string
  to: string
}

const RESPONSE_TIMEOUT_MS = 25_000

/** What the reseller's administrator sees now. Signs in each time, because hours pass in between. */
export const signInToPortal = async ({ url }: Stack, { tenantId }: Reseller) => {
  const send = (path: string, options: RequestInit = {}, token = '') =>
    fetch(`${url}/api${path}`, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      ...options,
      headers: {
        'x-tenant': tenantId,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
      },
    })
  const body = JSON.stringify({ email: `admin@${tenantId}.example`, password: PASSWORD })
  const signedIn = await send('/user/login/', { method: 'POST', body })
  const { access } = (await signedIn.json()) as { access: string }

  const detail = async (nickname: string) => {
    const response = await send(
      `/terminals/${encodeURIComponent(nickname)}/1440/`,
      { method: 'POST', body: '{}' },
      access,
    )
    if (response.status !== 200) throw new Error(`${tenantId}: a terminal's page returned ${response.status}.`)
    return (await response.json()) as {
      terminal_data: { deviceid: string; unobserved: Span[] }[]
      receipts: { kind: string; state: string }[]
    }
  }

  return {
    detail,
    listTerminals: async () => {
      const response = await send('/terminals/', {}, access)
      const { data } = (await response.json()) as {
        data: { nickname: string; deviceID: string; status: string; lastSeen: string | null }[]
      }
      return data
    },
    /** As pages receive it over the live stream; null before the first telemetry. */
    feedAgeS: async (): Promise<number | null> => {
      const leave = new AbortController()
      const response = await send('/live/', { signal: leave.signal }, access)
      let received = ''
      for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        received += chunk
        const event = /data: (\{"kind":"feed".*\})\n/.exec(received)?.[1]
        if (event === undefined) continue
        leave.abort()
        return (JSON.parse(event) as { ageS: number | null }).ageS
      }
      return Number.NaN
    },
    reboot: async (nickname: string) => {
      const [terminal] = (await detail(nickname)).terminal_data
      const path = `/reboot-terminal/${encodeURIComponent(nickname)}/`
      const response = await send(
        path,
        { method: 'PATCH', body: JSON.stringify({ terminal_id: terminal?.deviceid }) },
        access,
      )
      return response.status
    },
  }
}
