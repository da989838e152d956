import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'

test('pages without content show a drawing and the reason', async ({ app, page }) => {
  for (const [path, heading] of [
    ['/forbidden', '403'],
    ['/no-such-page', 'N O T  F O U N D'],
  ] as const) {
    await app.open(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    const scene = page.locator('svg:has(use)')
    await expect(scene).toBeVisible()
    // The drawing is rendered only if its file exists and has the element that the page references.
    await expect.poll(() => scene.evaluate((svg: SVGSVGElement) => svg.getBBox().width)).toBeGreaterThan(200)
    await expectAccessibleInDisplays(page, path)
    await expect(scene).toBeVisible()
  }
})
