import { cellToParent, getResolution, gridDisk } from 'h3-js'
import type { Loss } from './loss.ts'

/** Hexagons of about 120 km. */
const AREA_RESOLUTION = 3
const toParent = (cell: string, resolution: number) =>
  getResolution(cell) <= resolution ? cell : cellToParent(cell, resolution)

export type ToCell = (cell: string) => string

export const toArea: ToCell = (cell) => toParent(cell, AREA_RESOLUTION)

/** Hexagons of about 320 and 840 km. */
export const regionSizes: readonly ToCell[] = [2, 1].map((resolution) => (cell) => toParent(cell, resolution))

export const listAreasAround = (area: string) => gridDisk(area, 1)

/** Splits losses, in any order, into runs in which each begins at most `gapMs` after the previous one. */
export const splitByTime = (losses: readonly Loss[], gapMs: number): Loss[][] => {
  const runs: Loss[][] = []
  let lastMs = Number.NEGATIVE_INFINITY
  for (const loss of losses.toSorted((one, other) => one.lostAtMs - other.lostAtMs)) {
    if (loss.lostAtMs - lastMs > gapMs) runs.push([])
    ;(runs.at(-1) as Loss[]).push(loss)
    lastMs = loss.lostAtMs
  }
  return runs
}

interface Run {
  area: string
  losses: Loss[]
  fromMs: number
  toMs: number
  /** The root of its union-find group. */
  root: Run
}

const toRun = (area: string, losses: Loss[]): Run => {
  const run = { area, losses, fromMs: (losses[0] as Loss).lostAtMs, toMs: (losses.at(-1) as Loss).lostAtMs }
  const whole = run as Run
  whole.root = whole
  return whole
}

const findRoot = (run: Run): Run => {
  let root = run
  while (root.root !== root) root = root.root
  run.root = root
  return root
}

/** Losses with known positions that begin at most `gapMs` apart, in the same or a neighboring area, or region. */
export const groupByArea = (
  losses: readonly Loss[],
  gapMs: number,
  toCell: ToCell = toArea,
): { areas: Set<string>; losses: Loss[] }[] => {
  const byArea = Map.groupBy(
    losses.filter(({ cell }) => cell !== null),
    ({ cell }) => toCell(cell as string),
  )
  const runs = new Map(
    [...byArea].map(([area, here]) => [area, splitByTime(here, gapMs).map((run) => toRun(area, run))]),
  )
  for (const [area, here] of runs)
    for (const neighbor of listAreasAround(area)) {
      if (neighbor <= area) continue
      for (const other of runs.get(neighbor) ?? [])
        for (const run of here)
          if (run.fromMs - other.toMs <= gapMs && other.fromMs - run.toMs <= gapMs) findRoot(other).root = findRoot(run)
    }
  const groups = Map.groupBy([...runs.values()].flat(), findRoot)
  return [...groups.values()].map((group) => ({
    areas: new Set(group.map(({ area }) => area)),
    losses: group.flatMap((run) => run.losses),
  }))
}
