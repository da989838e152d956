import type { Page } from '@playwright/test'
import type pg from 'pg'
import { listEntries } from '#server/audit/queries.ts'
import { openDatabase } from '#server/platform/database/database.ts'

const TIMEOUT_MS = 150_000
const MAX_ENTRIES = 1_000

/** An edit that a user makes while the link is down, identified by its text. */
export interface Edit {
  text: string
  save: () => Promise<void>
  /** Whether the page reports this outcome. */
  isReported: (what: 'saved' | 'failed') => Promise<boolean>
  /** Whether the input is still there. */
  isRetained: () => Promise<boolean>
}

const isShown = (page: Page, text: RegExp) => page.getByText(text).first().isVisible()

export const createRenameEdit = (page: Page, text: string): Edit => {
  const field = page.getByRole('textbox', { name: 'Custom Name' })
  return {
    text,
    save: async () => {
      const pencil = page.getByRole('button', { name: 'Edit Custom Name' })
      if (await pencil.isVisible()) await pencil.click()
      await field.fill(text)
      await page.getByRole('button', { name: 'Save Custom Name' }).click()
    },
    isReported: async (what) =>
      what === 'saved'
        ? (await field.isDisabled()) && (await field.inputValue()) === text
        : isShown(page, /cannot be reached|Please try again/),
    isRetained: async () => (await field.inputValue()) === text,
  }
}

export const createCompanyEdit = (page: Page, text: string): Edit => {
  const field = page.getByRole('textbox', { name: 'Company' })
  return {
    text,
    save: async () => {
      await field.fill(text)
      await page.getByRole('button', { name: 'Edit your profile' }).click()
    },
    isReported: (what) => isShown(page, what === 'saved' ? /succesfully edited/ : /cannot be reached|Please try again/),
    isRetained: async () => (await field.inputValue()) === text,
  }
}

/** Opens the form before the link goes down, so that its code is loaded. */
export const openPoolForm = async (page: Page) => {
  await page.getByRole('button', { name: '+ Create New' }).click()
  await page.getByRole('dialog', { name: 'Create New Pool' }).getByRole('textbox', { name: 'Pool Name' }).waitFor()
}

export const createPoolEdit = (page: Page, text: string): Edit => {
  const dialog = page.getByRole('dialog', { name: 'Create New Pool' })
  const field = dialog.getByRole('textbox', { name: 'Pool Name' })
  return {
    text,
    save: async () => {
      if (!(await dialog.isVisible())) await openPoolForm(page)
      await field.fill(text)
      await dialog.getByRole('textbox', { name: 'Usage Limit (GB)' }).fill('500')
      await dialog.getByRole('button', { name: 'Save Changes' }).click()
    },
    isReported: (what) => isShown(page, what === 'saved' ? /Saved successfully/ : /Failed to save/),
    isRetained: async () => (await field.inputValue()) === text,
  }
}

/** Counts the log entries with the text, as readers of the log see it. */
export const countEntries = async (connection: pg.PoolConfig, text: string) => {
  const database = openDatabase({ ...connection, max: 1 }, () => {})
  try {
    const tenants = await database.outsideTenants.selectFrom('tenants').select('id').execute()
    let count = 0
    for (const { id } of tenants) {
      const entries = await database.transaction({ tenantId: id }, (db) => listEntries(db, id, {}, MAX_ENTRIES))
      count += entries.filter(
        ({ performee, details }) =>
          performee === text || JSON.stringify((details as { after?: unknown }).after ?? null).includes(text),
      ).length
    }
    return count
  } finally {
    await database.close()
  }
}

/** Waits until the page reports the outcome of an edit. */
export const waitForOutcome = async (page: Page, edit: Edit): Promise<'saved' | 'failed' | 'unreported'> => {
  const deadlineMs = performance.now() + TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    if (await edit.isReported('saved')) return 'saved'
    if (await edit.isReported('failed')) return 'failed'
    await page.waitForTimeout(100)
  }
  return 'unreported'
}
