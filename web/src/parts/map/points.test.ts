import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MapPoint } from './markers.ts'
import { listProblems, readPoints } from './points.ts'

const point = (place: unknown) => ({ id: 'a', name: 'A', status: 'online', place }) as MapPoint

test('returns no points and a problem for anything but an array', () => {
  for (const odd of [undefined, null, {}, 'text', 7])
    expect(readPoints(odd)).toEqual({ points: [], problems: ['Invalid terminals format. Expected an array.'] })
})

test('drops an invalid place and reports it', () => {
  const { points, problems } = readPoints([point([64.5, -165.4]), point([1, null]), point('x')])
  expect(points.map(({ place }) => place)).toEqual([[64.5, -165.4], null, null])
  expect(problems).toEqual(['Error parsing terminal coordinates'])
})

test('reports that no place is valid, but no problem without terminals', () => {
  expect(readPoints([point([1])]).problems).toContain('No valid coordinates found for markers.')
  expect(readPoints([]).problems).toEqual([])
})

test('reports the problems of shown points only', () => {
  const given = readPoints([point([64.5, -165.4]), point('x')])
  expect(listProblems(given, undefined)).toEqual(['Error parsing terminal coordinates'])
  expect(listProblems(given, Uint32Array.of(0))).toEqual([])
  expect(listProblems(given, Uint32Array.of(1))).toContain('No valid coordinates found for markers.')
  expect(listProblems(given, Uint32Array.of())).toEqual([])
})

test('returns two numbers or null for any place', () => {
  fc.assert(
    fc.property(fc.array(fc.anything()), (places) => {
      for (const { place } of readPoints(places.map(point)).points)
        expect(place === null || (place.length === 2 && place.every(Number.isFinite))).toBe(true)
    }),
  )
})
