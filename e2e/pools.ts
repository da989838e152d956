import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect } from './app.ts'
import { callApi, getAdminSession } from './users.ts'

export const tenant = 'dishboard'

export const openPools = async (app: App, search = '') => {
  await app.remember(await getAdminSession(tenant))
  await app.page.goto(`${addresses.url}/plan-manager?tenant=${tenant}${search}`)
  await expect(app.page.getByRole('heading', { name: 'Defined Pools' })).toBeVisible()
}

interface Pool {
  virtual_plan_id: string
  plan_name: string
}

/** Creates a pool with a unique name. */
export const createPool = async (more: object = {}): Promise<Pool> => {
  const { access } = await getAdminSession(tenant)
  const details = { plan_name: `T-${randomUUID()}`, usage_limit: 800, assigned_service_lines: [], ...more }
  const { status, body } = await callApi(tenant, 'POST', '/virtual-plan/', {
    token: access,
    body: { pool_details: details },
  })
  expect(status).toBe(200)
  return body as unknown as Pool
}

export const listFreeLines = async () => {
  const { access } = await getAdminSession(tenant)
  const { body } = await callApi(tenant, 'GET', '/vp-service-line', { token: access })
  return body.data as { service_line: string; nickname: string; kit_number: string | null }[]
}

export const findPoolRow = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

export const editPool = async (page: Page, { virtual_plan_id, plan_name }: Pool) => {
  await page.getByRole('searchbox').fill(plan_name)
  await findPoolRow(page, plan_name).getByText(plan_name).click()
  const dialog = page.getByRole('dialog', { name: `Editing Pool ID: ${virtual_plan_id}` })
  await expect(dialog).toBeVisible()
  return dialog
}

export const savePool = (dialog: Locator) => dialog.getByRole('button', { name: 'Save Changes' }).click()
