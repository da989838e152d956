interface Credentials {
  tenantId: string
  email: string
  password: string
}

/** Longer than any response may take. */
const RESPONSE_TIMEOUT_MS = 30_000

/** A sign-in from an address; the status is 0 if there was no response. */
export const sendSignIn = async (url: string, address: string, { tenantId, email, password }: Credentials) => {
  const begin = performance.now()
  try {
    const response = await fetch(`${url}/api/user/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant': tenantId, 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
    await response.arrayBuffer()
    return { status: response.status, tookMs: performance.now() - begin }
  } catch {
    return { status: 0, tookMs: performance.now() - begin }
  }
}
