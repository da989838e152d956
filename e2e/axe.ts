import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Each rule that the page violates, with the offending elements. */
export async function findAxeViolations(page: Page, { exclude }: { exclude?: string } = {}) {
  const axe = new AxeBuilder({ page }).withTags(tags)
  if (exclude) axe.exclude(exclude)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))
}
