import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect } from './app.ts'

const PASSWORD = 'Own-person-1'

const ask = async (tenant: string, path: string, body: object, token?: string) => {
  const response = await fetch(`${addresses.url}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-tenant': tenant,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

const askUntilAnswered = async (...call: Parameters<typeof ask>) => {
  let answer: Awaited<ReturnType<typeof ask>>
  // A busy server asks to come back later.
  await expect(async () => {
    answer = await ask(...call)
  }).toPass()
  return answer
}

/** Signs the page in as a person whom no other test knows, and opens a place. */
export async function openAsNewUser(app: App, page: Page, path: string, tenant = 'dishboard') {
  const email = `own-${crypto.randomUUID().slice(0, 8)}@${tenant}.example`
  const admin = await askUntilAnswered(tenant, '/user/login/', {
    email: `admin@${tenant}.example`,
    password: 'Admin-demo-1',
  })
  const person = { email, username: 'north', customerName: 'Own Person', company: 'Own Company', role: 'user' }
  await ask(tenant, '/create-user/', { ...person, initialPassword: PASSWORD }, admin.access)
  const session = await askUntilAnswered(tenant, '/user/login/', { email, password: PASSWORD })
  await page.addInitScript(({ access, refresh }) => {
    if (localStorage.getItem('access')) return
    localStorage.setItem('access', access)
    localStorage.setItem('refresh', refresh)
  }, session)
  await app.open(path, tenant)
  return { email, password: PASSWORD, access: session.access as string }
}
