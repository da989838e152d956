import { expect, test } from 'vitest'
import { mercatorX, mercatorY } from './mercator.ts'
import { unwrapLongitudes } from './unwrap.ts'

const line = (...places: [longitude: number, latitude: number][]) =>
  Float64Array.from(places.flatMap(([longitude, latitude]) => [mercatorX(longitude), mercatorY(latitude)]))

const longitudes = (points: Float64Array) =>
  [...points].filter((_, index) => index % 2 === 0).map((x) => Math.round((x / mercatorX(180)) * 180))

test('keeps an island on the antimeridian in one piece', () => {
  expect(longitudes(unwrapLongitudes(line([176, 71], [-178, 71], [-178, 70], [176, 70], [176, 71])))).toEqual([
    176, 182, 182, 176, 176,
  ])
})

test('moves a continent that begins beyond the edge to the side of its middle', () => {
  const ring = line([-170, 66], [170, 70], [60, 70], [60, 40], [170, 60], [-170, 66])
  expect(longitudes(unwrapLongitudes(ring))).toEqual([190, 170, 60, 60, 170, 190])
})

test('leaves a ring unchanged that does not reach the edge', () => {
  const ring = line([10, 50], [20, 50], [20, 40], [10, 50])
  expect(unwrapLongitudes(ring)).toEqual(ring)
})

test('closes a ring around the pole along the edge of the map', () => {
  const ring = unwrapLongitudes(line([-180, -70], [-60, -75], [60, -70], [179, -72], [-180, -70]))
  expect(longitudes(ring)).toEqual([-180, -60, 60, 179, 180, 180, -180])
  expect(ring.at(-1)).toBe(mercatorY(-90))
})
