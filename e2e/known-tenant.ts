import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { type App, expect } from './app.ts'
import { callApi, createActiveUser, getAdminSession } from './users.ts'

const tenant = 'known'

/** Calls the API as the admin of the tenant with the known fleet. */
export async function callKnownTenant(method: string, path: string, body?: unknown) {
  const { access } = await getAdminSession(tenant)
  const response = await callApi(tenant, method, path, { token: access, body })
  expect(response.status).toBe(200)
  return response.body
}

export const setMetadata1 = (name: string, value: string | null) =>
  callKnownTenant('PATCH', `/service-lines/${encodeURIComponent(name)}/metadata/metadata1/`, { value })

/** Signs in a new user of this tenant with the given metadata permission. */
export async function signInWithMetadataAccess(metadata: 'cannot_see' | 'read_only' | 'read_write') {
  const { id, session } = await createActiveUser(tenant)
  await callKnownTenant('PATCH', '/acp/value/', { user_id: id, item_code: 'metadata', value: metadata })
  return session
}

/** Opens the terminal table, by default with an admin session. */
export async function openTable(app: App, session?: { access: string; refresh: string }) {
  await app.remember(session ?? (await getAdminSession(tenant)))
  await app.open('/terminaltable', tenant)
  await expect(findTableRow(app.page, 'Attu Watch')).toBeVisible()
}

export const findTableRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })

/** Presses CSV and returns the lines of the file. */
export async function downloadCsvLines(page: Page) {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const text = await readFile(await (await saving).path(), 'utf8')
  return text.trimEnd().split('\r\n')
}
