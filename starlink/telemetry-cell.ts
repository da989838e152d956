import { isValidCell } from 'h3-js'

/** Functions that read one cell of a telemetry row. A value of the wrong type gives null, never an exception. */

/** None of the numbers is less than nothing. One beyond this is an error, and sums of such do not fit their columns. */
const MAX_NUMBER = 2 ** 31 - 1

export const toNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= MAX_NUMBER ? number : null
}

export const readNumber = (row: unknown[], index: number | undefined): number | null =>
  index === undefined ? null : toNumber(row[index])

/** Longer texts and lists are cut off: every list of terminals would carry them. */
const MAX_TEXT = 300
const MAX_TEXTS = 100

export const toText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : null

export const readText = (row: unknown[], index: number | undefined): string | null =>
  index === undefined ? null : toText(row[index])

export const readBoolean = (row: unknown[], index: number | undefined): boolean | null => {
  if (index === undefined) return null
  const value = row[index]
  return typeof value === 'boolean' ? value : null
}

export const toTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((item): item is string => typeof item === 'string' && item !== '')
    .slice(0, MAX_TEXTS)
    .map((item) => item.slice(0, MAX_TEXT))

export const readTexts = (row: unknown[], index: number | undefined): string[] =>
  index === undefined ? [] : toTexts(row[index])

const toScalar = (value: unknown): string | number | boolean | null =>
  typeof value === 'number' || typeof value === 'boolean' ? value : toText(value)

/** A value of a column that is not known. */
export const toAnyValue = (value: unknown) =>
  Array.isArray(value) ? value.slice(0, MAX_TEXTS).map(toScalar) : toScalar(value)

const EARLIEST_MS = Date.UTC(2015, 0, 1)
const LATEST_MS = Date.UTC(2200, 0, 1)

export const isPlausibleTime = (atMs: number) => atMs >= EARLIEST_MS && atMs < LATEST_MS

/** Converts exact nanoseconds, given as digits, to whole microseconds; null if the time is not plausible. */
export const readMicroseconds = (row: unknown[], index: number | undefined): number | null => {
  if (index === undefined) return null
  const digits = row[index]
  if (typeof digits !== 'string') return null
  const us = Number(digits.slice(0, -3))
  return isPlausibleTime(us / 1000) ? us : null
}

/** `ut01000000-…` and `ip-…` name the terminal that the inventory calls `01000000-…`. */
export const toTerminalId = (deviceId: string): string => {
  const bare = deviceId.startsWith('ip-') ? deviceId.slice(3) : deviceId
  return bare.startsWith('ut') ? bare.slice(2) : bare
}

const CELL_DIGITS = 15

/** The H3 cell in the form of h3 libraries, which throw on anything that is none. */
export const toH3Cell = (text: string | null): string | null => {
  if (text === null) return null
  const hex = /^\d{17,20}$/.test(text) ? BigInt(text).toString(16) : text.toLowerCase().replace(/^0/, '')
  return hex.length === CELL_DIGITS && isValidCell(hex) ? hex : null
}

const ALERT_NAME = /^[\w-]{1,100}$/
const MAX_ALERTS = 50

/** Events, messages and lists carry the names. */
export const isAlertName = (name: unknown): name is string => typeof name === 'string' && ALERT_NAME.test(name)

/** Names each once. */
export const limitAlerts = (names: readonly string[]): string[] => [...new Set(names)].slice(0, MAX_ALERTS)
