import { expect, test } from 'vitest'
import { mercatorX, mercatorY, toPlace } from '../../parts/map/mercator.ts'
import { listEdge } from './area.ts'

test('the edge of an area is as far from its middle in every direction', () => {
  const edge = listEdge('61.2', '-149.9', '50')
  expect(edge).toHaveLength(73)
  const toRadians = (degrees: number) => (degrees * Math.PI) / 180
  for (const [latitude, longitude] of edge) {
    const cosine =
      Math.sin(toRadians(61.2)) * Math.sin(toRadians(latitude)) +
      Math.cos(toRadians(61.2)) * Math.cos(toRadians(latitude)) * Math.cos(toRadians(longitude + 149.9))
    expect(Math.acos(cosine) * 6371).toBeCloseTo(50, 1)
  }
})

test('what is no area has no edge', () => {
  for (const [latitude, longitude, km] of [
    ['', '0', '50'],
    ['91', '0', '50'],
    ['0', 'x', '50'],
    ['0', '0', '0'],
  ] as const)
    expect(listEdge(latitude, longitude, km)).toEqual([])
})

test('a clicked place is where it was drawn, beyond the antimeridian too', () => {
  for (const place of [
    [61.2, -149.9],
    [52.8, 173.2],
    [-33, 18],
  ] as const) {
    const [latitude, longitude] = toPlace(mercatorX(place[1] - 360), mercatorY(place[0]))
    expect(latitude).toBeCloseTo(place[0], 6)
    expect(longitude).toBeCloseTo(place[1], 6)
  }
})
