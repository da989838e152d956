import type { Browser } from '@playwright/test'
import { notifyLinesChanged } from '#server/fleet/notify.ts'
import type { FleetStack } from '../fleet-stack.ts'
import type { Build } from './builds.ts'
import { newPage, until, withinLimit } from './pages.ts'

const CHANGES = 5

/** The longest time from the commit of a change to the frame of an open page that shows it. */
export const measureLive = async (browser: Browser, stack: FleetStack, tenantId: string, build: Build) => {
  const page = await newPage(browser, build.tokens)
  await page.goto(build.listUrl)
  await page.waitForSelector(build.rows)
  await page.waitForTimeout(2000)
  const firstName = `document.querySelector('${build.rows} span span')?.textContent`
  const name = await page.evaluate((probe) => String(new Function(`return ${probe}`)()), firstName)
  const waits: number[] = []
  for (let change = 1; change <= CHANGES; change++) {
    // The new name still sorts first.
    const next = `${name.slice(0, 3)} ${change}`
    const isShown = withinLimit(until(page, firstName, next))
    await stack.database.transaction({ tenantId }, async (db) => {
      const { id } = await db
        .updateTable('service_lines')
        .set({ custom_name: next })
        .where('tenant_id', '=', tenantId)
        .where('custom_name', '=', change === 1 ? name : `${name.slice(0, 3)} ${change - 1}`)
        .returning('id')
        .executeTakeFirstOrThrow()
      await notifyLinesChanged(db, tenantId, [id])
    })
    const committedAt = performance.now()
    await isShown
    waits.push(performance.now() - committedAt)
    await page.waitForTimeout(100 * change)
  }
  await page.context().close()
  return Math.max(...waits)
}
