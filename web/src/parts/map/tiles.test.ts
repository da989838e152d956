import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mercatorX, worldWidthM } from './mercator.ts'
import { buildTileUrl, findAncestorTile, listTilesInView } from './tiles.ts'

const viewAt = (zoom: number, longitude: number, width = 600, height = 400) => {
  const scale = (256 * 2 ** zoom) / worldWidthM
  return { zoom, scale, minX: mercatorX(longitude) - width / 2 / scale, maxY: height / 2 / scale, width, height }
}

test('lists the middle of the view first, in tiles of 256 pixels at whole zooms', () => {
  const [first] = listTilesInView(viewAt(3, 10))
  expect(first).toMatchObject({ tile: { z: 3, x: 4 }, sizePx: expect.closeTo(256) })
})

test('covers a view over the antimeridian with the last and the first column', () => {
  const columns = new Set(listTilesInView(viewAt(4, 180, 300)).map(({ tile }) => tile.x))
  expect(columns).toEqual(new Set([15, 0]))
})

test('covers any view with existing tiles, without gaps', () => {
  const zoom = fc.double({ min: 1, max: 18, noNaN: true })
  fc.assert(
    fc.property(zoom, fc.double({ min: -540, max: 540, noNaN: true }), (closeness, longitude) => {
      const view = viewAt(closeness, longitude)
      const placed = listTilesInView(view)
      for (const { tile } of placed)
        for (const part of [tile.x, tile.y])
          expect(part >= 0 && part < 2 ** tile.z && Number.isInteger(part)).toBe(true)
      // On the border of two tiles, both count.
      const slack = 1e-6
      for (const px of [0.5, view.width / 2, view.width - 0.5])
        expect(
          placed.some(({ left, top, sizePx }) => {
            const [right, bottom] = [left + sizePx + slack, top + sizePx + slack]
            return px >= left - slack && px < right && view.height / 2 >= top - slack && view.height / 2 < bottom
          }),
        ).toBe(true)
    }),
  )
})

test('finds the part of an ancestor tile that a tile covers', () => {
  expect(findAncestorTile({ z: 5, x: 7, y: 4 }, 1)).toEqual({
    tile: { z: 4, x: 3, y: 2 },
    left: 0.5,
    top: 0,
    side: 0.5,
  })
  expect(findAncestorTile({ z: 5, x: 7, y: 4 }, 2)).toEqual({
    tile: { z: 3, x: 1, y: 1 },
    left: 0.75,
    top: 0,
    side: 0.25,
  })
})

test('builds the URL of a tile, always with the same host name', () => {
  expect(buildTileUrl('https://tiles.example/{z}/{x}/{y}.png', { z: 3, x: 1, y: 2 })).toBe(
    'https://tiles.example/3/1/2.png',
  )
  const named = [0, 1, 2, 3].map((x) => buildTileUrl('https://{a-c}.example/{x}', { z: 3, x, y: 0 }))
  expect(named.map((address) => address.slice(8, 9))).toEqual(['a', 'b', 'c', 'a'])
})
