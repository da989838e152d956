import { createBrowser } from './browser.ts'
import { type Customer, PASSWORD } from './population.ts'

export interface Session {
  customer: Customer
  access: string
}

/** Signs users in, one after the other. */
export const openSessions = async (url: string, customers: readonly Customer[]): Promise<Session[]> => {
  const sessions: Session[] = []
  for (const [index, customer] of customers.entries()) {
    const browser = createBrowser(url, `10.2.0.${index % 250}`)
    const body = { email: customer.email, password: PASSWORD }
    const { status, text } = await browser.send({ path: '/user/login/', body })
    if (status !== 200) throw new Error(`Signing in returned ${status}: ${text}`)
    sessions.push({ customer, access: (JSON.parse(text) as { access: string }).access })
    browser.close()
  }
  return sessions
}
