import { expect, test } from 'vitest'
import { alongTimeline, joinTimelines, layOutTime } from './timeline.ts'

const at = (...seconds: number[]) => seconds.map((second) => ({ timestamp: second * 1000 }))

test('joins samples that are a little early or late', () => {
  expect(layOutTime(at(0, 15.4, 29.6, 45), 15).points).toEqual([0, 1, 2, 3])
})

test('marks one missing sample as a gap, with an empty moment at each end', () => {
  const timeline = layOutTime(at(0, 15, 45, 60), 15)
  expect(timeline.points).toEqual([0, 1, -1, -1, 2, 3])
  expect(timeline.atMs).toEqual([0, 15_000, 22_500, 37_500, 45_000, 60_000])
})

test('puts values along the axis, with null where nothing was measured', () => {
  const timeline = layOutTime(at(0, 15, 45), 15)
  expect(alongTimeline(timeline, [0.5, null, 0.25], 100)).toEqual([50, null, null, null, 25])
})

test('returns an empty axis without samples', () => {
  expect(layOutTime([], 15)).toEqual({ atMs: [], points: [] })
})

test('another series shares the axis, also where it is coarser or has what the first lacks', () => {
  const own = layOutTime(at(0, 15, 30, 45, 120), 15)
  const joined = joinTimelines(own, layOutTime(at(2, 32, 62, 92), 30), 15)
  const known = joined.atMs.flatMap((ms, index) => {
    const other = joined.others[index]
    return other === undefined || other < 0 ? [] : [[ms / 1000, other]]
  })
  expect(known).toEqual([
    [0, 0],
    [30, 1],
    [62, 2],
    [92, 3],
  ])
  expect(joined.points.filter((point) => point >= 0)).toEqual([0, 1, 2, 3, 4])
  expect(joined.atMs).toEqual(joined.atMs.toSorted((a, b) => a - b))
})

test('a gap of the other series stays a gap', () => {
  const own = layOutTime(at(0, 15, 30, 45, 60, 75, 90), 15)
  expect(joinTimelines(own, layOutTime(at(0, 15, 75, 90), 15), 15).others).toEqual([
    0,
    1,
    -1,
    undefined,
    undefined,
    2,
    3,
  ])
})
