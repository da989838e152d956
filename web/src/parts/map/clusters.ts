import { shownStatuses } from '../status.ts'
import type { Markers } from './markers.ts'

/** Markers that would cover each other at one zoom level, as typed arrays with one entry for each cluster. */
export interface Clusters {
  /** The centroid of the members in Mercator meters. */
  x: Float64Array
  y: Float64Array
  size: Uint32Array
  /** How many members have each status: per cluster one number per entry of `shownStatuses`. */
  shares: Uint32Array
  /** The cluster of each marker. */
  clusterByMarker: Uint32Array
  /** The index of its first member. */
  first: Uint32Array
}

const kinds = shownStatuses.length
/** More than the number of cell columns at the closest zoom. */
const columns = 2 ** 23
/** Cells whose centroids are closer than this fraction of their size are joined into one cluster. */
const joinedWithin = 0.8

interface Cells {
  keys: number[]
  x: number[]
  y: number[]
  size: number[]
  cellByMarker: Uint32Array
  cellByKey: Map<number, number>
}

/**
 * Bins the markers into square cells of `cellM` meters, then joins neighboring cells whose centroids are close. That
 * takes a few milliseconds for 100,000 markers, so clusters are recomputed whenever a marker or the zoom level changes.
 */
export function clusterMarkers({ x, y, kind }: Pick<Markers, 'x' | 'y' | 'kind'>, cellM: number): Clusters {
  const cells = sortIntoCells(x, y, cellM)
  const clusterByCell = joinNeighbors(cells, cellM)
  const count = clusterByCell.reduce((last, cluster) => Math.max(last, cluster + 1), 0)
  const clusters = {
    x: new Float64Array(count),
    y: new Float64Array(count),
    size: new Uint32Array(count),
    shares: new Uint32Array(count * kinds),
    clusterByMarker: new Uint32Array(x.length),
    first: new Uint32Array(count),
  }
  for (let at = 0; at < x.length; at++) {
    const cluster = clusterByCell[cells.cellByMarker[at] as number] as number
    const size = (clusters.size[cluster] as number) + 1
    const share = cluster * kinds + (kind[at] as number)
    const [meanX, meanY] = [clusters.x[cluster] as number, clusters.y[cluster] as number]
    if (size === 1) clusters.first[cluster] = at
    clusters.clusterByMarker[at] = cluster
    clusters.size[cluster] = size
    clusters.shares[share] = (clusters.shares[share] as number) + 1
    // A running mean, so that members at the same position yield exactly that position.
    clusters.x[cluster] = meanX + ((x[at] as number) - meanX) / size
    clusters.y[cluster] = meanY + ((y[at] as number) - meanY) / size
  }
  return clusters
}

function sortIntoCells(x: Float64Array, y: Float64Array, cellM: number): Cells {
  const cells: Cells = {
    keys: [],
    x: [],
    y: [],
    size: [],
    cellByMarker: new Uint32Array(x.length),
    cellByKey: new Map(),
  }
  for (let at = 0; at < x.length; at++) {
    const key = Math.floor((y[at] as number) / cellM) * columns + Math.floor((x[at] as number) / cellM)
    let cell = cells.cellByKey.get(key)
    if (cell === undefined) {
      cell = cells.keys.length
      cells.cellByKey.set(key, cell)
      cells.keys.push(key)
      cells.x.push(0)
      cells.y.push(0)
      cells.size.push(0)
    }
    cells.cellByMarker[at] = cell
    const size = (cells.size[cell] as number) + 1
    cells.size[cell] = size
    cells.x[cell] = (cells.x[cell] as number) + ((x[at] as number) - (cells.x[cell] as number)) / size
    cells.y[cell] = (cells.y[cell] as number) + ((y[at] as number) - (cells.y[cell] as number)) / size
  }
  return cells
}

/** The cluster number of each cell. A cell that has joined its neighbors is not joined by another. */
function joinNeighbors({ keys, x, y, size, cellByKey }: Cells, cellM: number): number[] {
  const clusterByCell = new Array<number>(keys.length).fill(-1)
  const largestFirst = keys.map((_, cell) => cell).sort((a, b) => (size[b] as number) - (size[a] as number) || a - b)
  let count = 0
  for (const cell of largestFirst) {
    if (clusterByCell[cell] !== -1) continue
    const cluster = count++
    clusterByCell[cell] = cluster
    for (let row = -1; row <= 1; row++)
      for (let column = -1; column <= 1; column++) {
        const other = cellByKey.get((keys[cell] as number) + row * columns + column)
        if (other === undefined || clusterByCell[other] !== -1) continue
        const apart = Math.hypot((x[other] as number) - (x[cell] as number), (y[other] as number) - (y[cell] as number))
        if (apart < joinedWithin * cellM) clusterByCell[other] = cluster
      }
  }
  return clusterByCell
}

/** Indexes of the markers of a cluster. */
export function listMembers({ clusterByMarker }: Clusters, cluster: number): number[] {
  const members: number[] = []
  for (let at = 0; at < clusterByMarker.length; at++) if (clusterByMarker[at] === cluster) members.push(at)
  return members
}

/** How many members have each status, in the order of `shownStatuses`. */
export const readShares = ({ shares }: Clusters, cluster: number) =>
  shares.subarray(cluster * kinds, (cluster + 1) * kinds)
