import { expect, type Page } from '@playwright/test'
import axeCore, { type RunOnly, type RunOptions } from 'axe-core'
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

/** Runs in the page. */
const runAxe = async ({ exclude, rules }: { exclude: string[]; rules: RunOnly }) => {
  const { axe } = window as unknown as { axe: typeof axeCore }
  const options: RunOptions = { runOnly: rules, resultTypes: ['violations'], preload: false, iframes: false }
  const { violations } = await axe.run({ exclude }, options)
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))
}

/** Each rule that the page violates, with the offending elements. */
const findViolations = async (page: Page) => {
  // On a scrolled page, axe counts elements half covered by the sticky header as too small targets, and so in a table that is
  // scrolled sideways. After a resize to narrow, the page first scrolls the focused field into view, so wait for that. While a
  // color changes from light to dark, it has too little contrast.
  const state = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) {
      await new Promise(requestAnimationFrame)
      window.scrollTo(0, 0)
      for (const box of document.querySelectorAll('main *')) if (box.scrollLeft !== 0) box.scrollLeft = 0
    }
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
    return { hasAxe: 'axe' in window, isDark: matchMedia('(prefers-color-scheme: dark)').matches }
  })
  // Half a megabyte to send and to parse, so only once for each load of the page.
  if (!state.hasAxe) await page.evaluate(axeCore.source)
  const rules: RunOnly = state.isDark ? { type: 'rule', values: colorRules } : { type: 'tag', values: tags }
  // Elements behind a dialog cannot be reached, and axe counts covered ones as too small.
  const exclude = (await page.getByRole('dialog').count()) > 0 ? ['main'] : []
  return page.evaluate(runAxe, { exclude, rules })
}

/** Expects that axe finds nothing and that the page does not scroll sideways. A soft assertion. */
export async function expectAccessible(page: Page, title = '') {
  expect.soft(await findViolations(page), title).toEqual([])
  const { scrollWidth, clientWidth } = await page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
  expect.soft(scrollWidth, `${title}, sideways`).toBeLessThanOrEqual(clientWidth)
}

/** The same in light and dark, wide and narrow. */
export async function expectAccessibleInDisplays(page: Page, title?: string) {
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, title ? `${title}, ${display.title}` : display.title)
  }
}
