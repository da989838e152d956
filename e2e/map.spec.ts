import type { Page } from '@playwright/test'
import { type App, expect, test } from './app.ts'
import { TerminalPage } from './terminal-page.ts'

const getMap = (page: Page) => page.getByRole('application', { name: 'Map' })

/** Hovers the row of a terminal and returns the position of its marker, once the map is at rest. */
async function findMarker(app: App, name: string) {
  const { page } = app
  await app.rows.filter({ hasText: name }).first().hover()
  const tooltip = page.getByRole('tooltip').filter({ hasText: name })
  let last = ''
  await expect(async () => {
    const { x, y } = await tooltip.evaluate((element) => element.getBoundingClientRect())
    const at = `${x},${y}`
    const isAtRest = at === last
    last = at
    expect(isAtRest).toBe(true)
  }).toPass({ intervals: [250] })
  const [x, y] = last.split(',').map(Number) as [number, number]
  return { x, y }
}

type Color = [red: number, green: number, blue: number]
const offlineColor: Color = [0xdc, 0x26, 0x26]
const trackColor: Color = [0x03, 0x69, 0xa1]

/** The number of pixels of the light map's markers with a color. */
const countPixels = (page: Page, color: Color) =>
  page.evaluate(([red, green, blue]) => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas.map-markers')
    const { data } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    let count = 0
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count++
    return count
  }, color)

test('a place is one cluster that shows its worst status, and a click lists all its terminals', async ({
  app,
  page,
}) => {
  await app.openDashboard('crowded')
  await expect(getMap(page)).toHaveAttribute('data-markers', '63')
  await expect(getMap(page)).toHaveAttribute('data-clusters', '3')
  // One of sixty is offline.
  await expect.poll(() => countPixels(page, offlineColor)).toBeGreaterThan(20)

  const camp = await findMarker(app, 'Camp 1')
  await page.mouse.move(camp.x, camp.y)
  await expect(page.getByRole('tooltip')).toHaveText('60 terminals59 Online, 1 Offline')
  await page.mouse.click(camp.x, camp.y)
  const popup = page.getByRole('region', { name: '60 terminals here' })
  const terminals = popup.getByRole('list', { name: 'Terminals at this place' })
  await expect(terminals.getByRole('listitem').filter({ hasText: /^Camp 1\D/ })).toContainText('Online')
  await terminals.evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect(terminals.getByText('Camp 60')).toBeInViewport()
  await terminals.press('Escape')
  await expect(popup).toBeHidden()
})

test('a click on a cluster of different places zooms in until they are apart', async ({ app, page }) => {
  await app.openDashboard('crowded')
  await expect(getMap(page)).toHaveAttribute('data-clusters', '3')
  const docks = await findMarker(app, 'Anchor Dock North')
  await page.mouse.click(docks.x, docks.y)
  await expect(getMap(page)).toHaveAttribute('data-clusters', '4')
  const [north, south] = [await findMarker(app, 'Anchor Dock North'), await findMarker(app, 'Anchor Dock South')]
  expect(Math.hypot(north.x - south.x, north.y - south.y)).toBeGreaterThan(36)
  await expect(page.getByRole('region', { name: /terminals here/ })).toHaveCount(0)
})

test('filter and search move the view to what they find', async ({ app, page }) => {
  await app.openDashboard('crowded')
  await expect(getMap(page)).toHaveAttribute('data-markers', '63')
  const box = (await getMap(page).boundingBox()) as { x: number; y: number; width: number; height: number }
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const isCentered = async (name: string) => {
    const at = await findMarker(app, name)
    return Math.hypot(at.x - center.x, at.y - center.y) < 20
  }
  expect(await isCentered('Bright Light')).toBe(false)
  await page.getByRole('searchbox').fill('bright light')
  await expect(getMap(page)).toHaveAttribute('data-markers', '1')
  await expect.poll(() => isCentered('Bright Light')).toBe(true)
  await page.getByRole('searchbox').fill('')
  await expect.poll(() => isCentered('Bright Light')).toBe(false)
  await app.chip('Offline').click()
  await expect(getMap(page)).toHaveAttribute('data-markers', '1')
  await expect.poll(() => isCentered('Camp 42')).toBe(true)
})

test('a vessel shows its position and its track of a day instead of an address', async ({ app, page }) => {
  await app.openDashboard('known')
  await expect(app.rows.filter({ hasText: 'F/V Dawn' })).toContainText('53.40° N, 179.00° E')
  const terminal = new TerminalPage(app)
  await terminal.patchDetail(({ service_line_data }) => {
    service_line_data.track = Array.from({ length: 8 }, (_, hour) => [53 + hour / 20, 178 + hour / 7])
  })
  await terminal.goTo('F/V Dawn (50% share) [x]', { tenant: 'known' })
  await expect(page.getByRole('figure')).toContainText('53.40° N, 179.00° E, with its track of the last 24 hours')
  await expect(page.getByText('Front Street')).toHaveCount(0)
  await expect.poll(() => countPixels(page, trackColor)).toBeGreaterThan(50)
})
