import { expect, test } from './app.ts'
import { waitUntilLoaded } from './every-page.ts'
import { getAdminSession } from './users.ts'

const tenant = 'dishboard'

/** Runs in the page: what stays in view under the bar of the portal, or with a gap between them. */
const listMisplacedBars = () => {
  const bottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  return [...document.querySelectorAll('#content *, [aria-label="Time travel"]')].flatMap((element) => {
    const { position, top } = getComputedStyle(element)
    if (!['fixed', 'sticky'].includes(position) || top === 'auto' || element.closest('table, [hidden]')) return []
    const box = element.getBoundingClientRect()
    const isHeld = Math.abs(box.top - Number.parseFloat(top)) < 1 && box.height > 0
    const offset = Math.round(box.top - bottom)
    return isHeld && (offset < -1 || offset > 20) ? [`${element.className} begins ${offset} px below the bar`] : []
  })
}

// The bar has one line, two lines, and one line again.
for (const width of [1280, 1000, 360])
  test(`at ${width} px nothing that stays in view is covered by the bar of the portal`, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 700 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await app.remember(await getAdminSession(tenant))
    const at = new Date(Date.now() - 40 * 60_000).toISOString()
    const faults: string[] = []
    for (const path of ['/dashboard', '/dashboard?events=all', `/dashboard?at=${at}`, '/dev-dashboard', '/profile']) {
      await app.open(path, tenant)
      await waitUntilLoaded(page)
      await page.evaluate(() => window.scrollTo(0, 500))
      faults.push(...(await page.evaluate(listMisplacedBars)).map((fault) => `${path}: ${fault}`))
    }
    expect(faults).toEqual([])
  })
