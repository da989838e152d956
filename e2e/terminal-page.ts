import { expect, type Locator, type Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import type { App } from './app.ts'
import { callApi, getAdminSession } from './users.ts'

export interface ListedLine {
  nickname: string
  serviceLine: string
  status: string
  alerts: string
}

/** The tenant's online lines, sorted by nickname. Those that the vendor has disabled are not. */
export async function listOnline(tenant: string): Promise<ListedLine[]> {
  const { access } = await getAdminSession(tenant)
  const { body } = await callApi(tenant, 'GET', '/terminals/', { token: access })
  const online = (body.data as ListedLine[]).filter(
    ({ status, alerts }) => status === 'online' && !alerts.includes('disabled_'),
  )
  return online.toSorted((a, b) => (a.nickname < b.nickname ? -1 : 1))
}

/** The nickname of an online line, so that its charts have data. A test that changes one uses a separate index. */
export const getOnlineNickname = async (place = -1, tenant = 'microcom') => {
  const lines = await listOnline(tenant)
  const line = lines.at(place)
  if (!line) throw new Error(`${tenant} has only ${lines.length} lines online.`)
  return line.nickname
}

// biome-ignore lint/suspicious/noExplicitAny: the response on the wire, before it is parsed
export type WireDetail = any

/** Page object of the terminal page. */
export class TerminalPage {
  readonly page: Page
  readonly app: App

  constructor(app: App) {
    this.app = app
    this.page = app.page
  }

  async open(nickname: string, { tenant = 'microcom', search = '' } = {}) {
    await this.app.remember(await getAdminSession(tenant))
    await this.goTo(nickname, { tenant, search })
  }

  async goTo(nickname: string, { tenant = 'microcom', search = '' } = {}) {
    await this.page.goto(`${addresses.url}/terminal/${encodeURIComponent(nickname)}?tenant=${tenant}${search}`)
  }

  /** Changes the server's response before the page gets it. */
  async patchDetail(change: (detail: WireDetail) => void) {
    await this.page.route(/\/api\/terminals\/[^/]+\/\d+\//, async (route) => {
      const response = await route.fetch()
      const detail = await response.json()
      change(detail)
      await route.fulfill({ response, json: detail })
    })
  }

  /** A chart with its plot; before its code has loaded, only its values are shown. */
  chart(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true }).filter({ has: this.slider(name) })
  }

  slider(name: string): Locator {
    return this.page.getByRole('slider', { name: `${name} at a time` })
  }

  period(name: string): Locator {
    return this.page.getByRole('group', { name: 'Period' }).getByRole('button', { name })
  }

  async expectPeriod(name: string) {
    await expect(this.period(name)).toHaveAttribute('aria-pressed', 'true')
  }

  /** The value of an info item of a device. */
  info(name: string): Locator {
    return this.page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd')
  }
}
