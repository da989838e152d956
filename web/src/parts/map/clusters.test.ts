import { expect, test } from 'vitest'
import { shownStatuses } from '../status.ts'
import { clusterMarkers, listMembers, readShares } from './clusters.ts'
import { findWorst, formatClusterSize, splitRing } from './sprites.ts'

const pack = (...places: [x: number, y: number, status?: (typeof shownStatuses)[number]][]) => ({
  x: Float64Array.from(places, ([x]) => x),
  y: Float64Array.from(places, ([, y]) => y),
  kind: Uint8Array.from(places, ([, , status = 'online']) => shownStatuses.indexOf(status)),
})

test('makes one cluster of what is in one place, exactly there', () => {
  const clusters = clusterMarkers(pack([10.1, 20.3], [10.1, 20.3, 'offline'], [10.1, 20.3]), 100)
  expect([...clusters.size]).toEqual([3])
  expect([clusters.x[0], clusters.y[0]]).toEqual([10.1, 20.3])
  expect([...readShares(clusters, 0)]).toEqual([2, 1, 0, 0])
  expect(listMembers(clusters, 0)).toEqual([0, 1, 2])
})

test('joins neighbors on both sides of the edge of a cell', () => {
  const clusters = clusterMarkers(pack([99, 50], [101, 50], [999, 999], [1001, 1001]), 100)
  expect([...clusters.size].sort()).toEqual([2, 2])
})

test('leaves apart what is farther apart than a cell, and forgets no marker', () => {
  const places = Array.from({ length: 500 }, (_, at): [number, number] => [(at * 7919) % 5000, (at * 104_729) % 5000])
  const clusters = clusterMarkers(pack(...places), 200)
  expect(clusters.size.reduce((sum, size) => sum + size, 0)).toBe(500)
  for (const [at, [x, y]] of places.entries()) {
    const cluster = clusters.clusterByMarker[at] as number
    expect(Math.hypot(x - (clusters.x[cluster] as number), y - (clusters.y[cluster] as number))).toBeLessThan(600)
  }
  expect([...clusterMarkers(pack([0, 0], [500, 0], [0, 500]), 200).size]).toEqual([1, 1, 1])
  expect(clusterMarkers(pack(), 200).size).toHaveLength(0)
})

test('shows even one terminal that is down among thousands', () => {
  const shares = [9999, 1, 0, 0]
  expect(findWorst(shares)).toBe('offline')
  const ring = splitRing(shares)
  expect(ring.map(({ status }) => status)).toEqual(['offline', 'online'])
  expect(ring.map(({ to }) => to)).toEqual([6, 60])
})

test.each([
  [
    [1, 1, 1, 1],
    [15, 30, 45, 60],
  ],
  [
    [97, 1, 1, 1],
    [6, 12, 18, 60],
  ],
  [[5, 0, 0, 0], [60]],
])('splits the ring of %j into parts of one whole', (shares, ends) => {
  expect(splitRing(shares).map(({ to }) => to)).toEqual(ends)
})

test('hundreds of clusters of different sizes share a few rings', () => {
  const shares = Array.from({ length: 400 }, (_, at) => [20 + (at % 37), 1 + (at % 7), 0, at % 3])
  const rings = new Set(shares.map((each) => JSON.stringify(splitRing(each))))
  expect(rings.size).toBeLessThan(30)
})

test('writes large numbers so that they fit into the ring', () => {
  expect([2, 999, 1000, 1234, 9949, 9951, 12_345].map(formatClusterSize)).toEqual([
    '2',
    '999',
    '1k',
    '1.2k',
    '9.9k',
    '10k',
    '12k',
  ])
})
