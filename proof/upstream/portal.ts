import { PASSWORD, type Reseller, type Stack } from './stack.ts'

interface Span {
  from: string
  to: string
}

const ANSWER_WITHIN_MS = 25_000

/** What the reseller's administrator sees now. Signs in each time, because hours pass in between. */
export const lookInto = async ({ url }: Stack, { tenantId }: Reseller) => {
  const ask = (path: string, options: RequestInit = {}, token = '') =>
    fetch(`${url}/api${path}`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...options,
      headers: {
        'x-tenant': tenantId,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
      },
    })
  const body = JSON.stringify({ email: `admin@${tenantId}.example`, password: PASSWORD })
  const signedIn = await ask('/user/login/', { method: 'POST', body })
  const { access } = (await signedIn.json()) as { access: string }

  const detail = async (nickname: string) => {
    const answer = await ask(`/terminals/${encodeURIComponent(nickname)}/1440/`, { method: 'POST', body: '{}' }, access)
    if (answer.status !== 200) throw new Error(`${tenantId}: a terminal's page answered ${answer.status}.`)
    return (await answer.json()) as {
      terminal_data: { deviceid: string; unobserved: Span[] }[]
      receipts: { kind: string; state: string }[]
    }
  }

  return {
    detail,
    listTerminals: async () => {
      const answer = await ask('/terminals/', {}, access)
      const { data } = (await answer.json()) as {
        data: { nickname: string; deviceID: string; status: string; lastSeen: string | null }[]
      }
      return data
    },
    /** As pages receive it over the live stream; null before the first telemetry. */
    feedAgeS: async (): Promise<number | null> => {
      const leave = new AbortController()
      const answer = await ask('/live/', { signal: leave.signal }, access)
      let received = ''
      for await (const chunk of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
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
      const answer = await ask(
        path,
        { method: 'PATCH', body: JSON.stringify({ terminal_id: terminal?.deviceid }) },
        access,
      )
      return answer.status
    },
  }
}
