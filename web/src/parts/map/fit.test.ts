import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeExtent } from './fit.ts'
import { mercatorX, mercatorY, type Place, worldsBetween } from './mercator.ts'

const degrees = (x: number) => (x / mercatorX(180)) * 180

const longitudesOf = (places: Place[]) => {
  const [minX, , maxX] = computeExtent(places) ?? [0, 0, 0, 0]
  return [degrees(minX), degrees(maxX)].map((value) => Math.round(value * 1000) / 1000)
}

test('places on both sides of the antimeridian stay neighbours', () => {
  expect(
    longitudesOf([
      [52.9, 173],
      [51.9, -176.6],
    ] as Place[]),
  ).toEqual([173, 183.4])
})

test('places on both sides of Greenwich are not sent around the world', () => {
  expect(
    longitudesOf([
      [51, -0.1],
      [48, 2.3],
      [40, -3.7],
    ] as Place[]),
  ).toEqual([-3.7, 2.3])
})

test('one place is a box without width', () => {
  expect(longitudesOf([[64.5, -165.4]] as Place[])).toEqual([-165.4, -165.4])
})

test('no place has no box', () => {
  expect(computeExtent([])).toBeUndefined()
})

test('every place lies in the box or in a copy of it, and the box is never wider than the world', () => {
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

test('a view across the antimeridian shows two copies of the world', () => {
  expect(worldsBetween(mercatorX(170), mercatorX(190))).toEqual([0, 1])
  expect(worldsBetween(mercatorX(-10), mercatorX(10))).toEqual([0])
})
