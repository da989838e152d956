import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, type House } from './house.ts'
import { administratorOf, callApi, createPerson, startSession } from './people.ts'

const tenant = 'known'

/** A call as the administrator of the reseller with the known terminals. */
export async function callKnown(method: string, path: string, body?: unknown) {
  const { access } = await administratorOf(tenant)
  const answer = await callApi(tenant, method, path, { token: access, body })
  expect(answer.status).toBe(200)
  return answer.body
}

export const noteOf = (name: string, value: string | null) =>
  callKnown('PATCH', `/service-lines/${encodeURIComponent(name)}/metadata/metadata1/`, { value })

/** Somebody of the known reseller who may see or change metadata as far as `metadata` says. */
export async function signInWith(metadata: 'cannot_see' | 'read_only' | 'read_write') {
  const { email, password, id } = await createPerson(tenant)
  await callKnown('PATCH', '/acp/value/', { user_id: id, item_code: 'metadata', value: metadata })
  return startSession(tenant, email, password)
}

/** The table of all known terminals, as somebody who has signed in before. */
export async function openTable(house: House, session?: { access: string; refresh: string }) {
  await house.remember(session ?? (await administratorOf(tenant)))
  await house.open('/terminaltable', tenant)
  await expect(tableRow(house.page, 'Attu Watch')).toBeVisible()
}

export const tableRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })

/** The file that a press brings, as lines. */
export async function csvLines(page: Page) {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const text = await readFile(await (await saving).path(), 'utf8')
  return text.trimEnd().split('\r\n')
}
