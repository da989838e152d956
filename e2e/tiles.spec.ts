import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { type App, expect, test } from './app.ts'
import type { TileServerMode } from './tile-server.ts'
import { getAdminSession } from './users.ts'

const setTileServerMode = (mode: TileServerMode) => fetch(`${addresses.tilesUrl}/mode/${mode}`)

/** The color near the center of the map, where there is no place name. */
async function readGroundPixel(page: Page) {
  const picture = await page.getByRole('application', { name: 'Map' }).screenshot()
  return page.evaluate(
    async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const context = new OffscreenCanvas(image.width, image.height).getContext(
        '2d',
      ) as OffscreenCanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      return [...context.getImageData(image.width * 0.6, image.height * 0.4, 1, 1).data.slice(0, 3)]
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  )
}

async function openMap(app: App) {
  await app.remember(await getAdminSession('tiles'))
  await app.open('/dashboard', 'tiles')
  await expect(app.page.getByText('No terminals yet.')).toBeVisible()
  return app.page.getByRole('application', { name: 'Map' })
}

test('tiles are shown with their attribution, and outlines where tiles fail to load', async ({ app, page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => /Content.Security/.test(message.text()) && problems.push(message.text()))
  await setTileServerMode('serves')
  const map = await openMap(app)
  await expect(map).toHaveAttribute('data-ground', 'tiles')
  const credit = page.getByText('Tiles of the tests, © OpenStreetMap contributors')
  await expect(credit.getByRole('link')).toHaveAttribute('href', 'https://www.openstreetmap.org/copyright')
  // Tiles are muted so that markers stand out.
  await expect.poll(() => readGroundPixel(page)).toEqual([124, 124, 184])
  await page.getByRole('button', { name: 'Switch to Dark Mode' }).click()
  await expect(map).toHaveAttribute('data-ground', 'tiles')
  await expect.poll(() => readGroundPixel(page)).toEqual([60, 0, 60])

  for (const mode of ['refuses', 'hangs'] as const) {
    await setTileServerMode(mode)
    const requested = page.waitForRequest((request) => request.url().startsWith(addresses.tilesUrl))
    await page.reload()
    await requested
    await expect(page.getByText('Outlines: Natural Earth')).toBeVisible()
    await expect(map).toHaveAttribute('data-ground', 'outlines')
    const isDark = ([red = 255, , blue = 255]: number[]) => red < 40 && blue < 80
    // Land or water color of the dark outlines.
    await expect.poll(async () => isDark(await readGroundPixel(page))).toBe(true)
    await page.getByRole('button', { name: 'Zoom in' }).click()
  }
  await setTileServerMode('serves')
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(map).toHaveAttribute('data-ground', 'tiles')
  expect(problems).toEqual([])
})
