import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { addresses } from './addresses.ts'

interface Request {
  token?: string
  body?: unknown
}

/** Calls the API of a tenant, outside of the browser. */
export async function callApi(tenant: string, method: string, path: string, { token, body }: Request = {}) {
  const response = await fetch(`${addresses.url}/api${path}`, {
    method,
    headers: {
      'x-tenant': tenant,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export interface Session {
  access: string
  refresh: string
}

export async function startSession(tenant: string, email: string, password: string): Promise<Session> {
  const session = { access: '', refresh: '' }
  // A busy server may respond with 429 or 503.
  await expect(async () => {
    const { body } = await callApi(tenant, 'POST', '/user/login/', { body: { email, password } })
    expect(body).toMatchObject({ access: expect.any(String), refresh: expect.any(String) })
    Object.assign(session, body)
  }).toPass()
  return session
}

const freshMs = 10 * 60_000
const administrators = new Map<string, { since: number; session: Promise<Session> }>()

/** One sign-in per tenant and worker while the token is fresh: password hashing is slow on purpose. */
export function getAdminSession(tenant: string) {
  const known = administrators.get(tenant)
  if (known && Date.now() - known.since < freshMs) return known.session
  const session = startSession(tenant, `admin@${tenant}.example`, 'Admin-demo-1')
  administrators.set(tenant, { since: Date.now(), session })
  return session
}

/** Creates a user for one test, who must change the password first. */
export async function createUser(tenant: string) {
  const user = { email: `u-${randomUUID()}@${tenant}.example`, password: 'Initial-pass-1' }
  const { access } = await getAdminSession(tenant)
  const response = await callApi(tenant, 'POST', '/create-user/', {
    token: access,
    body: {
      email: user.email,
      username: 'north',
      customerName: 'Robin Tester',
      company: 'Company',
      initialPassword: user.password,
      role: 'user',
    },
  })
  expect(response.status).toBe(200)
  return { ...user, id: response.body.user_id as number }
}

/** Creates a user who has changed the password and is signed in. */
export async function createActiveUser(tenant: string) {
  const { password: initial, ...user } = await createUser(tenant)
  const session = await startSession(tenant, user.email, initial)
  const password = 'Chosen-pass-2'
  await expect(async () => {
    const body = { currentPassword: initial, newPassword: password }
    expect((await callApi(tenant, 'POST', '/reset-password/', { token: session.access, body })).status).toBe(200)
  }).toPass()
  return { ...user, password, session }
}
