import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import {
  countEntries,
  createCompanyEdit,
  createPoolEdit,
  createRenameEdit,
  type Edit,
  openPoolForm,
  waitForOutcome,
} from './edits.ts'
import type { StackBehindLink } from './stack-behind-link.ts'
import { formatAddress } from './usable.ts'

const NEW_NAME = 'Renamed elsewhere'
const NOTICE_MS = 6_000
const DONE_WITHIN_MS = 20_000
/** The time in which a browser that is back online would send queued requests. */
const REPLAY_WITHIN_MS = 1_000

interface Options {
  stack: StackBehindLink
  context: BrowserContext
  outageMs: number
  log: (message: string) => void
}

/** Makes edits during three kinds of outage, and counts the outcomes. */
export const liveThroughOutages = async ({ stack, context, outageMs, log }: Options) => {
  const { link, url, superuser, renameElsewhere } = stack
  const [own = '', others = ''] = stack.names
  const totals = { edits: 0, lost: 0, doubled: 0, forgotten: 0 }

  const open = async (path: string, sign: (page: Page) => Promise<void>) => {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(formatAddress(url, path))
    await sign(page)
    return page
  }
  const list = await open('/dashboard', (page) =>
    page.getByRole('list', { name: 'Terminals' }).getByRole('link').first().waitFor(),
  )
  const terminal = await open(`/terminal/${encodeURIComponent(own)}`, (page) =>
    page.getByRole('button', { name: 'Edit Custom Name' }).waitFor(),
  )
  const profile = await open('/profile', (page) => page.getByRole('textbox', { name: 'Company' }).waitFor())
  const plans = await open('/plan-manager', openPoolForm)

  /** Makes an edit, and starts to watch the page at once, because a notice disappears soon. */
  const begin = async (page: Page, edit: Edit) => {
    await page.bringToFront()
    await edit.save()
    return { page, edit, outcome: waitForOutcome(page, edit) }
  }
  /**
   * Checks that what the page reports is true. The input of a failed edit must still be there; sent again, it must be applied
   * once.
   */
  const accountFor = async (way: string, { page, edit, outcome }: Awaited<ReturnType<typeof begin>>) => {
    totals.edits += 1
    const first = await outcome
    log(`${way}: '${edit.text}' ${first}, ${await countEntries(superuser, edit.text)} in the log`)
    if (first !== 'saved') {
      if (!(await edit.isRetained())) totals.forgotten += 1
      // The failure notice must not be mistaken for that of the second attempt.
      await page.waitForTimeout(NOTICE_MS)
      const again = await begin(page, edit)
      log(`${way}: '${edit.text}' again, ${await again.outcome}`)
    }
    const entries = await countEntries(superuser, edit.text)
    if (entries === 0) totals.lost += 1
    if (entries > 1) totals.doubled += 1
  }

  log(`no packet passes for ${outageMs / 1000} s, and no connection is closed`)
  await list.getByRole('searchbox').first().fill(NEW_NAME)
  link.cut()
  const silent = [
    await begin(terminal, createRenameEdit(terminal, 'Named in silence')),
    await begin(profile, createCompanyEdit(profile, 'Company in silence')),
    await begin(plans, createPoolEdit(plans, 'Pool in silence')),
  ]
  await renameElsewhere(others, NEW_NAME)
  await list.bringToFront()
  await pause(outageMs)
  link.restore()
  const restoredMs = performance.now()
  const caughtUp = list
    .getByRole('list', { name: 'Terminals' })
    .getByText(NEW_NAME)
    .waitFor()
    .then(() => performance.now() - restoredMs)
    .catch(() => Number.NaN)
  for (const begun of silent) await accountFor('silence', begun)
  const caughtUpS = (await caughtUp) / 1000

  log('responses are lost')
  await plans.goto(formatAddress(url, '/plan-manager'))
  await openPoolForm(plans)
  const unnoticed = [
    { page: plans, edit: createPoolEdit(plans, 'Pool unnoticed') },
    { page: terminal, edit: createRenameEdit(terminal, 'Named unnoticed') },
  ]
  for (const { page, edit } of unnoticed) {
    link.cutResponses()
    const begun = await begin(page, edit)
    const deadlineMs = performance.now() + DONE_WITHIN_MS
    while ((await countEntries(superuser, edit.text)) === 0 && performance.now() < deadlineMs) await pause(100)
    link.reset()
    link.restore()
    await accountFor('unnoticed', begun)
  }

  log('the browser is offline')
  // Opens a new page, because the notice of the previous edit may still be visible.
  await profile.goto(formatAddress(url, '/profile'))
  await profile.getByRole('textbox', { name: 'Company' }).waitFor()
  await context.setOffline(true)
  const startedMs = performance.now()
  const known = await begin(profile, createCompanyEdit(profile, 'Company offline'))
  const outcome = await known.outcome
  const reportedMs = outcome === 'failed' ? performance.now() - startedMs : Number.NaN
  await context.setOffline(false)
  await profile.waitForTimeout(REPLAY_WITHIN_MS)
  const sentUnasked = await countEntries(superuser, known.edit.text)
  await accountFor('offline', known)

  await context.close()
  return { ...totals, caughtUpS, reportedMs, sentUnasked }
}
