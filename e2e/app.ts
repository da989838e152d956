import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { createActiveUser, getAdminSession, type Session } from './users.ts'

/** Page object: what a user does in the browser, found by visible text and role. */
export class App {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(path: string, tenant = 'dishboard') {
    await this.page.goto(`${addresses.url}${path}${path.includes('?') ? '&' : '?'}tenant=${tenant}`)
  }

  async typeCredentials(email: string, password: string) {
    await this.page.getByLabel('Email').fill(email)
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await this.page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  }

  async signIn(tenant = 'dishboard', user = 'admin', password = 'Admin-demo-1') {
    await this.open('/login', tenant)
    await this.typeCredentials(`${user}@${tenant}.example`, password)
    await expect(this.page).toHaveURL((url) => url.pathname === '/')
  }

  /** Stores the tokens of an earlier sign-in in the browser. */
  async remember(session: Session) {
    await this.page.addInitScript(({ access, refresh }) => {
      localStorage.setItem('access', access)
      localStorage.setItem('refresh', refresh)
    }, session)
  }

  /** Opens the dashboard with an admin session and waits for the first terminal. */
  async openDashboard(tenant = 'dishboard') {
    await this.remember(await getAdminSession(tenant))
    await this.open('/dashboard', tenant)
    await expect(this.rows.first()).toBeVisible()
  }

  /** Opens a page as a new user. Tokens that the page renews later are not overwritten. */
  async openAsNewUser(path: string, tenant = 'dishboard') {
    const { email, password, session } = await createActiveUser(tenant)
    await this.page.addInitScript(({ access, refresh }) => {
      if (localStorage.getItem('access')) return
      localStorage.setItem('access', access)
      localStorage.setItem('refresh', refresh)
    }, session)
    await this.open(path, tenant)
    return { email, password }
  }

  get rows() {
    return this.page.getByRole('list', { name: 'Terminals', exact: true }).getByRole('link')
  }

  /** Opens the command palette by its keys, once the page handles them. */
  async find(text: string) {
    await expect(this.page.getByRole('button', { name: 'Find', exact: true })).toBeVisible()
    await this.page.keyboard.press('Control+k')
    const box = this.page.getByRole('combobox', { name: /^Find/ })
    await expect(box).toBeFocused()
    await box.fill(text)
    return box
  }

  chip(name: string) {
    return this.page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name })
  }
}

/**
 * Presses a button by key, once it can receive it: while the button is disabled, or before its dialog has taken
 * the focus, the key would go to another button.
 */
export async function press(button: Locator, key = 'Enter') {
  await expect(button).toBeEnabled()
  const dialog = button.locator('xpath=ancestor::*[@role="dialog"]')
  if ((await dialog.count()) > 0) await expect(dialog.locator(':focus')).toHaveCount(1)
  await button.press(key)
}

/** Takes a terminal of the vendor simulator offline or back online. */
export async function takeTerminal(nickname: string, direction: 'down' | 'up') {
  const url = `${addresses.simulatorUrl}/simulator/terminals/${encodeURIComponent(nickname)}/${direction}`
  const response = await fetch(url, { method: 'POST' })
  expect(response.status).toBe(200)
}

/** Turns a failure scenario of the vendor simulator on or off, for all tenants. */
export async function playScenario(name: string, on: boolean) {
  const response = await fetch(`${addresses.simulatorUrl}/simulator/scenarios`, {
    method: 'POST',
    body: JSON.stringify({ name, on }),
  })
  expect(response.status).toBe(200)
}

export const test = base.extend<{ app: App; savesData: boolean }>({
  /** Whether data saver may turn on automatically. */
  savesData: [false, { option: true }],
  app: async ({ page, savesData }, use) => {
    // On a busy machine the link may appear slow; the tests of data saver start without this setting.
    if (!savesData) await page.addInitScript(() => localStorage.setItem('dataSaver', 'off'))
    await use(new App(page))
    // Pages poll, and a request in flight when the page closes is not a failure.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
})
export { expect }
