import { expect, type Locator, type Page } from '@playwright/test'

// However slowly the machine gets from one line to the next, this is still to come.
const aheadMs = 60_000

/** From now on time passes in the page only when the test says so. `page.clock.install()` comes before the page opens. */
export async function pauseClock(page: Page) {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + aheadMs)
}

/** Lets as little time pass as it takes until something is there. */
export async function advanceUntilVisible(page: Page, target: Locator) {
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(target).toBeVisible({ timeout: 200 })
  }).toPass()
}
