import { expect, test } from 'vitest'
import { encodeOutlines, type Topology } from './encode-outlines.ts'

const readNumbers = (bytes: Uint8Array) => {
  const numbers: number[] = []
  let value = 0
  let weight = 1
  for (const byte of bytes) {
    value += (byte & 127) * weight
    weight *= 128
    if (byte > 127) continue
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
    value = 0
    weight = 1
  }
  return numbers
}

// Degrees in tenths, as differences: a square of ten degrees in two arcs, the first shared by two countries.
const topology: Topology = {
  transform: { scale: [0.1, 0.1], translate: [0, 0] },
  arcs: [
    [
      [0, 0],
      [50, 0],
      [50, 0],
      [0, 100],
    ],
    [
      [100, 100],
      [-100, 0],
      [0, -100],
    ],
  ],
  objects: {
    land: { geometries: [{ type: 'Polygon', arcs: [[0, 1]] }] },
    countries: {
      geometries: [
        { type: 'Polygon', arcs: [[0, 1]] },
        { type: 'MultiPolygon', arcs: [[[-1]]] },
      ],
    },
  },
}

test('simplifies arcs, and refers to them from land and shared borders', () => {
  const ten = 371 // 10 degrees at the equator in steps of 3 km
  const north = 373 // 10 degrees northwards in the Mercator plane
  expect(readNumbers(encodeOutlines(topology, 3000))).toEqual([
    3000,
    2,
    3,
    0,
    0,
    ten,
    0,
    0,
    north,
    3,
    0,
    0,
    -ten,
    0,
    0,
    -north,
    1,
    1,
    2,
    0,
    1,
    1,
    0,
  ])
})

test('drops an island that has no area left, but not the arcs of the others', () => {
  const island: Topology['arcs'][number] = [
    [20, 20],
    [1, 0],
    [0, 1],
    [-1, -1],
  ]
  const withIsland: Topology = {
    ...topology,
    arcs: [island, ...topology.arcs],
    objects: {
      land: {
        geometries: [{ type: 'MultiPolygon', arcs: [[[0]], [[1, 2]]] }],
      },
      countries: {
        geometries: [
          { type: 'Polygon', arcs: [[1, 2]] },
          { type: 'MultiPolygon', arcs: [[[-2]]] },
        ],
      },
    },
  }
  expect(encodeOutlines(withIsland, 30_000)).toEqual(encodeOutlines(topology, 30_000))
})
