/** Functions that read one cell of a telemetry row. A value of the wrong type gives null, never an exception. */

export const numberAt = (row: unknown[], index: number | undefined): number | null => {
  if (index === undefined) return null
  const value = row[index]
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value === '') return null
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : null
}

export const textAt = (row: unknown[], index: number | undefined): string | null => {
  if (index === undefined) return null
  const value = row[index]
  return typeof value === 'string' && value !== '' ? value : null
}

export const booleanAt = (row: unknown[], index: number | undefined): boolean | null => {
  if (index === undefined) return null
  const value = row[index]
  return typeof value === 'boolean' ? value : null
}

export const textsAt = (row: unknown[], index: number | undefined): string[] => {
  if (index === undefined) return []
  const value = row[index]
  if (typeof value === 'string' && value !== '') return [value]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

const EARLIEST_MS = Date.UTC(2015, 0, 1)
const LATEST_MS = Date.UTC(2200, 0, 1)

/** Converts exact nanoseconds, given as digits, to whole microseconds; null if the time is not plausible. */
export const microsecondsAt = (row: unknown[], index: number | undefined): number | null => {
  if (index === undefined) return null
  const digits = row[index]
  if (typeof digits !== 'string') return null
  const us = Number(digits.slice(0, -3))
  return us >= EARLIEST_MS * 1000 && us < LATEST_MS * 1000 ? us : null
}

/** `ut01000000-…` and `ip-…` name the terminal that the inventory calls `01000000-…`. */
export const toTerminalId = (deviceId: string): string => {
  const bare = deviceId.startsWith('ip-') ? deviceId.slice(3) : deviceId
  return bare.startsWith('ut') ? bare.slice(2) : bare
}
