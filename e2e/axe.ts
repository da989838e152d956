import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { widths } from './display-variants.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
// Rules that depend on the color scheme. Everything else was checked in light, where the page has the same
// elements.
const colorRules = ['color-contrast', 'link-in-text-block']

/** Light and dark, wide and narrow. */
export const displays = (['light', 'dark'] as const).flatMap((colorScheme) =>
  widths.map((width) => ({ colorScheme, width, title: `${colorScheme} at ${width} px` })),
)

export async function setDisplay(page: Page, { colorScheme, width }: Omit<(typeof displays)[number], 'title'>) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 800 })
}

/** Each rule that the page violates, with the offending elements. */
const findViolations = async (page: Page) => {
  // On a scrolled page, axe counts elements half covered by the sticky header as too small targets. After a
  // resize to narrow, the page first scrolls the focused field into view, so wait for that.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) {
      await new Promise(requestAnimationFrame)
      window.scrollTo(0, 0)
    }
  })
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  // In this mode axe analyzes the page in the page itself, and needs no second one for frames, which ours do not have.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], preload: false })
  const axe = isDark ? builder.withRules(colorRules) : builder.withTags(tags)
  // Elements behind a dialog cannot be reached, and axe counts covered ones as too small.
  if ((await page.getByRole('dialog').count()) > 0) axe.exclude('main')
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))
}

/** Expects that axe finds nothing and that the page does not scroll sideways. A soft assertion. */
export async function expectAccessible(page: Page, title = '') {
  expect.soft(await findViolations(page), title).toEqual([])
  const { scrollWidth, clientWidth } = await page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
  expect.soft(scrollWidth, `${title}, sideways`).toBeLessThanOrEqual(clientWidth)
}
