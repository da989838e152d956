import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blit, type Raster, toStamp } from './raster.ts'

const raster = (width: number, height: number, pixels: number[]): Raster => ({
  width,
  height,
  pixels: Uint32Array.from(pixels),
})
const [red, blue, halfRed] = [0xff0000ff, 0xffff0000, 0x800000ff]

test('covers with opaque pixels, skips transparent ones and mixes the others', () => {
  const below = raster(4, 1, [blue, blue, blue, 0])
  blit(toStamp(raster(4, 1, [red, 0, halfRed, halfRed])), below, 0, 0)
  expect([...below.pixels]).toEqual([red, blue, 0xff7e0080, halfRed])
})

test('mixes each color by its alpha over an opaque pixel', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  const splitChannels = (pixel: number) => [0, 8, 16].map((shift) => (pixel >>> shift) & 255)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 254 }), byte, byte, byte, (alpha, ...colors) => {
      const pixel = (colors.reduce((sum, color, at) => sum | (color << (8 * at)), 0) | (alpha << 24)) >>> 0
      const below = raster(1, 1, [0xff3c7814])
      blit(toStamp(raster(1, 1, [pixel])), below, 0, 0)
      const mixed = below.pixels[0] as number
      expect(mixed >>> 24).toBe(255)
      for (const [at, part] of splitChannels(mixed).entries()) {
        const exact = ((colors[at] as number) * alpha + ([0x14, 0x78, 0x3c][at] as number) * (255 - alpha)) / 255
        expect(Math.abs(part - exact)).toBeLessThanOrEqual(1.5)
      }
    }),
  )
})

test('clips a stamp at the edges of the image', () => {
  const place = fc.integer({ min: -5, max: 8 })
  fc.assert(
    fc.property(place, place, (x, y) => {
      const below = raster(6, 5, Array(30).fill(blue))
      blit(toStamp(raster(3, 2, Array(6).fill(red))), below, x, y)
      const isCovered = (at: number) => {
        const [column, row] = [at % 6, Math.floor(at / 6)]
        return column >= x && column < x + 3 && row >= y && row < y + 2
      }
      expect([...below.pixels]).toEqual(Array.from({ length: 30 }, (_, at) => (isCovered(at) ? red : blue)))
    }),
  )
})

test('draws each pixel of a stamp as if it were alone, in any sequence of opaque, transparent and mixed ones', () => {
  const pixels = fc.array(fc.constantFrom(red, 0, halfRed, 0xff00ff00), { minLength: 12, maxLength: 12 })
  const place = fc.integer({ min: -3, max: 6 })
  fc.assert(
    fc.property(pixels, place, place, (given, x, y) => {
      const [whole, alone] = [raster(5, 4, Array(20).fill(blue)), raster(5, 4, Array(20).fill(blue))]
      blit(toStamp(raster(4, 3, given)), whole, x, y)
      for (const [at, pixel] of given.entries())
        blit(toStamp(raster(1, 1, [pixel])), alone, x + (at % 4), y + Math.floor(at / 4))
      expect([...whole.pixels]).toEqual([...alone.pixels])
    }),
  )
})
