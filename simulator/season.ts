import type { Line } from './fleet.ts'

/** May to September. */
const isSeason = (atMs: number) => {
  const month = new Date(atMs).getUTCMonth()
  return month >= 4 && month <= 8
}

const isSeasonal = (line: Line) => line.terminal?.role === 'seasonal'

export const isActive = (line: Line, atMs: number) =>
  (line.endedMs === null || atMs < line.endedMs) && (!isSeasonal(line) || isSeason(atMs))

/** When an inactive line ended or was paused. */
export const findEndMs = (line: Line, atMs: number): number | null => {
  if (isActive(line, atMs)) return null
  if (!isSeasonal(line)) return line.endedMs
  const now = new Date(atMs)
  const year = now.getUTCMonth() >= 9 ? now.getUTCFullYear() : now.getUTCFullYear() - 1
  return Date.UTC(year, 9, 1)
}
