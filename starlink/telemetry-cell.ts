/** Functions that read one cell of a telemetry row. A value of the wrong type gives null, never an exception. */

export const readNumber = (row: unknown[], index: number | undefined): number | null => {
  if (index === undefined) return null
  const value = row[index]
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value === '') return null
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : null
}

/** Longer texts and lists are cut off: every list of terminals would carry them. */
const MAX_TEXT = 300
const MAX_TEXTS = 100

export const readText = (row: unknown[], index: number | undefined): string | null => {
  if (index === undefined) return null
  const value = row[index]
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : null
}

export const readBoolean = (row: unknown[], index: number | undefined): boolean | null => {
  if (index === undefined) return null
  const value = row[index]
  return typeof value === 'boolean' ? value : null
}

export const readTexts = (row: unknown[], index: number | undefined): string[] => {
  if (index === undefined) return []
  const value = row[index]
  const texts = Array.isArray(value) ? value : [value]
  return texts
    .filter((item): item is string => typeof item === 'string' && item !== '')
    .slice(0, MAX_TEXTS)
    .map((item) => item.slice(0, MAX_TEXT))
}

const EARLIEST_MS = Date.UTC(2015, 0, 1)
const LATEST_MS = Date.UTC(2200, 0, 1)

/** Converts exact nanoseconds, given as digits, to whole microseconds; null if the time is not plausible. */
export const readMicroseconds = (row: unknown[], index: number | undefined): number | null => {
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
