import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MapPoint } from './markers.ts'
import { listProblems, readPoints } from './points.ts'

const point = (place: unknown) => ({ id: 'a', name: 'A', status: 'online', place }) as MapPoint

test('anything but a list draws nothing and says why', () => {
  for (const odd of [undefined, null, {}, 'text', 7])
    expect(readPoints(odd)).toEqual({ points: [], problems: ['Invalid terminals format. Expected an array.'] })
})

test('a bad place stands at 0,0, and only good ones count', () => {
  const { points, problems } = readPoints([point([64.5, -165.4]), point([1, null]), point('x')])
  expect(points.map(({ place }) => place)).toEqual([[64.5, -165.4], null, null])
  expect(problems).toEqual(['Error parsing terminal coordinates'])
})

test('without a single good place the view has nothing to go by, and without terminals there is no problem', () => {
  expect(readPoints([point([1])]).problems).toContain('No valid coordinates found for markers.')
  expect(readPoints([]).problems).toEqual([])
})

test('of those that are shown it tells, not of the others', () => {
  const given = readPoints([point([64.5, -165.4]), point('x')])
  expect(listProblems(given, undefined)).toEqual(['Error parsing terminal coordinates'])
  expect(listProblems(given, Uint32Array.of(0))).toEqual([])
  expect(listProblems(given, Uint32Array.of(1))).toContain('No valid coordinates found for markers.')
  expect(listProblems(given, Uint32Array.of())).toEqual([])
})

test('whatever a place holds, it is two numbers or none', () => {
  fc.assert(
    fc.property(fc.array(fc.anything()), (places) => {
      for (const { place } of readPoints(places.map(point)).points)
        expect(place === null || (place.length === 2 && place.every(Number.isFinite))).toBe(true)
    }),
  )
})
