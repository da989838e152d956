import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SmsBehavior =
  | 'takes'
  | 'refuses'
  | 'answers 500'
  | 'answers 429'
  | 'hangs'
  | 'hangs after taking'
  | 'drops before taking'
  | 'drops after taking'
  | 'takes and answers 500'

const readBody = async (request: IncomingMessage) => {
  let body = ''
  for await (const chunk of request) body += chunk
  return new URLSearchParams(body)
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A real gateway on loopback that speaks Twilio's protocol, with the behavior that the test sets. */
export const startSmsGateway = async (port = 0) => {
  const taken: { sid: string; to: string; from: string; body: string; date_created: string }[] = []
  const behavior = {
    next: (): SmsBehavior => 'takes',
    list: 'answers' as 'answers' | 'answers 500' | 'hangs',
    now: () => new Date(),
    /** Runs when a request has reached this step, before the response. */
    meanwhile: async (_: 'connected' | 'taken' | 'looking up') => {},
  }
  const take = (fields: URLSearchParams) => {
    const sid = `SM${taken.length + 1}`
    const [to, from, body] = ['To', 'From', 'Body'].map((name) => fields.get(name) ?? '') as [string, string, string]
    taken.push({ sid, to, from, body, date_created: behavior.now().toUTCString() })
    return sid
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      await behavior.meanwhile('looking up')
      if (behavior.list === 'hangs') return
      if (behavior.list === 'answers 500') return json(response, 500, {})
      const to = new URL(request.url ?? '', 'http://gateway').searchParams.get('To')
      return json(response, 200, { messages: taken.filter((each) => each.to === to) })
    }
    await behavior.meanwhile('connected')
    const fields = await readBody(request).catch(() => undefined)
    // The client has disconnected.
    if (!fields) return
    const action = behavior.next()
    if (action === 'refuses') return json(response, 400, { code: 21211, message: 'Invalid To number' })
    if (action === 'answers 500') return json(response, 500, {})
    if (action === 'answers 429') return json(response, 429, {})
    if (action === 'drops before taking') return response.destroy()
    if (action === 'hangs') return
    const sid = take(fields)
    await behavior.meanwhile('taken')
    if (action === 'takes') return json(response, 201, { sid })
    if (action === 'hangs after taking') return
    if (action === 'takes and answers 500') return json(response, 500, {})
    return response.destroy()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: chosen } = server.address() as AddressInfo
  return {
    settings: { apiUrl: `http://127.0.0.1:${chosen}`, accountSid: 'AC1', authToken: 'secret', from: '+19075550199' },
    taken,
    behavior,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type TestSmsGateway = Awaited<ReturnType<typeof startSmsGateway>>
