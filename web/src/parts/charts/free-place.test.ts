import { expect, test } from 'vitest'
import { findFreePlace, type Path } from './free-place.ts'

const right = { name: 'right', left: 60, top: 20, width: 40, height: 10 }
const left = { name: 'left', left: 0, top: 20, width: 40, height: 10 }
const above = { name: 'above', left: 60, top: 5, width: 40, height: 10 }
const find = (...paths: Path[]) => findFreePlace([right, left, above], paths).name

test('the first place that no line passes through', () => {
  expect(find()).toBe('right')
  expect(
    find([
      [0, 50],
      [100, 50],
    ]),
  ).toBe('right')
  // It crosses the box without a point inside.
  expect(
    find([
      [50, 0],
      [110, 60],
    ]),
  ).toBe('left')
  expect(
    find([
      [0, 25],
      [100, 25],
    ]),
  ).toBe('above')
  // A gap has no line.
  expect(find([[50, 25], null, [110, 25]])).toBe('right')
  // A lone point.
  expect(find([null, [80, 25], null])).toBe('left')
})

test('where lines are everywhere, the place with the least of them', () => {
  const everywhere: Path = [
    [0, 25],
    [20, 25],
    [30, 25],
    [70, 25],
    [70, 0],
    [80, 10],
    [90, 12],
    [100, 8],
  ]
  expect(find(everywhere)).toBe('right')
})
