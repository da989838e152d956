import { expect, type Locator, type Page } from '@playwright/test'

// Far enough ahead that even a slow machine has not reached it.
const aheadMs = 60_000

/** Stops the page's clock; the test advances it. Call `page.clock.install()` before the page opens. */
export async function pauseClock(page: Page) {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + aheadMs)
}

/** Advances the clock in small steps until the target is visible. */
export async function advanceUntilVisible(page: Page, target: Locator) {
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(target).toBeVisible({ timeout: 200 })
  }).toPass()
}
