import { Agent, request } from 'node:http'

interface Credentials {
  tenantId: string
  email: string
  password: string
}

/** Longer than any response may take. */
const RESPONSE_TIMEOUT_MS = 30_000

/** Over keep-alive connections, like a proxy: the client shares the machine and should use little of it. */
const agent = new Agent({ keepAlive: true })

/** A sign-in from an address; the status is 0 if there was no response. */
export const sendSignIn = (url: string, address: string, { tenantId, email, password }: Credentials) =>
  new Promise<{ status: number; tookMs: number }>((resolve) => {
    const begin = performance.now()
    const finish = (status: number) => resolve({ status, tookMs: performance.now() - begin })
    const body = JSON.stringify({ email, password })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(
      `${url}/api/user/login/`,
      { agent, method: 'POST', headers: { ...headers, 'x-tenant': tenantId, 'x-forwarded-for': address } },
      (response) => response.resume().on('end', () => finish(response.statusCode ?? 0)),
    )
    call.setTimeout(RESPONSE_TIMEOUT_MS, () => call.destroy())
    call.on('error', () => finish(0))
    call.end(body)
  })
