import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeExtent } from './fit.ts'
import { mercatorX, mercatorY, type Place, worldsBetween } from './mercator.ts'

const degrees = (x: number) => (x / mercatorX(180)) * 180

const fitLongitudes = (places: Place[]) => {
  const [minX, , maxX] = computeExtent(places) ?? [0, 0, 0, 0]
  return [degrees(minX), degrees(maxX)].map((value) => Math.round(value * 1000) / 1000)
}

test('keeps places on both sides of the antimeridian next to each other', () => {
  expect(
    fitLongitudes([
      [52.9, 173],
      [51.9, -176.6],
    ] as Place[]),
  ).toEqual([173, 183.4])
})

test('fits places on both sides of Greenwich without going around the world', () => {
  expect(
    fitLongitudes([
      [51, -0.1],
      [48, 2.3],
      [40, -3.7],
    ] as Place[]),
  ).toEqual([-3.7, 2.3])
})

test('returns a box without width for one place', () => {
  expect(fitLongitudes([[64.5, -165.4]] as Place[])).toEqual([-165.4, -165.4])
})

test('returns no box without places', () => {
  expect(computeExtent([])).toBeUndefined()
})

test('covers every place, in one of the copies of the world, with a box that is never wider than the world', () => {
  const place = fc.tuple(fc.double({ min: -85, max: 85, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 20 }), (places) => {
      const [minX, minY, maxX, maxY] = computeExtent(places) as [number, number, number, number]
      const slack = 1e-3
      expect(maxX - minX).toBeLessThanOrEqual(mercatorX(360) + slack)
      for (const [latitude, longitude] of places) {
        const inside = [-360, 0, 360].some((turn) => {
          const x = mercatorX(longitude + turn)
          return x >= minX - slack && x <= maxX + slack
        })
        expect(inside).toBe(true)
        expect(mercatorY(latitude)).toBeGreaterThanOrEqual(minY)
        expect(mercatorY(latitude)).toBeLessThanOrEqual(maxY)
      }
    }),
  )
})

test('lists two copies of the world for a view across the antimeridian', () => {
  expect(worldsBetween(mercatorX(170), mercatorX(190))).toEqual([0, 1])
  expect(worldsBetween(mercatorX(-10), mercatorX(10))).toEqual([0])
})
