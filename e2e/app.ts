import { test as base, expect, type Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { getAdminSession, type Session } from './users.ts'

/** What a person does in the browser, by the words they see. */
export class App {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(path: string, tenant = 'dishboard') {
    await this.page.goto(`${addresses.url}${path}?tenant=${tenant}`)
  }

  async typeCredentials(email: string, password: string) {
    await this.page.getByLabel('Email').fill(email)
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await this.page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  }

  async signIn(tenant = 'dishboard', person = 'admin', password = 'Admin-demo-1') {
    await this.open('/login', tenant)
    await this.typeCredentials(`${person}@${tenant}.example`, password)
    await expect(this.page).toHaveURL((url) => url.pathname === '/')
  }

  /** The browser of somebody who has signed in before. */
  async remember(session: Session) {
    await this.page.addInitScript(({ access, refresh }) => {
      localStorage.setItem('access', access)
      localStorage.setItem('refresh', refresh)
    }, session)
  }

  /** The dashboard of a person who has signed in before, with its terminals there. */
  async openDashboard(tenant = 'dishboard') {
    await this.remember(await getAdminSession(tenant))
    await this.open('/dashboard', tenant)
    await expect(this.rows.first()).toBeVisible()
  }

  get rows() {
    return this.page.getByRole('list', { name: 'Terminals' }).getByRole('link')
  }

  chip(name: string) {
    return this.page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name })
  }
}

/** Switches of the simulated vendor. */
export async function takeTerminal(nickname: string, direction: 'down' | 'up') {
  const url = `${addresses.simulatorUrl}/simulator/terminals/${encodeURIComponent(nickname)}/${direction}`
  const response = await fetch(url, { method: 'POST' })
  expect(response.status).toBe(200)
}

/** Switches a failure of the simulated vendor on or off, for every reseller. */
export async function playScenario(name: string, on: boolean) {
  const response = await fetch(`${addresses.simulatorUrl}/simulator/scenarios`, {
    method: 'POST',
    body: JSON.stringify({ name, on }),
  })
  expect(response.status).toBe(200)
}

export const test = base.extend<{ app: App }>({
  app: async ({ page }, use) => use(new App(page)),
})
export { expect }
