import type { Units } from '../units.ts'
import { formatCount, formatDecimal, formatShort } from './numbers.ts'

/** '120 GB' or '120.5 GB', for sentences. */
export const formatGb = (gb: number) => `${formatShort(gb)} GB`

/** '1,420 GB', where decimals do not matter. */
export const formatWholeGb = (gb: number) => `${formatCount(gb)} GB`

/** '2,014.23 GB', for columns. */
export const formatExactGb = (gb: number) => `${formatDecimal(gb)} GB`

/** 'N GB' under 1000, else TB of 1024 GB with one decimal: the sizes of the vendor's packages. */
export const formatLimit = (gb: number) => (gb < 1000 ? formatGb(gb) : `${formatDecimal(gb / 1024, 1)} TB`)

/** Mbps, or Kbps below one; the product uses 1024 Kbps per Mbps. */
export const formatSpeed = (mbps: number) =>
  mbps < 1 ? `${formatDecimal(mbps * 1024)} Kbps` : `${formatDecimal(mbps)} Mbps`

export const formatLatency = (ms: number) => `${formatDecimal(ms)} ms`

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** '512 B', '1.5 KB', '20 MB'. */
export const formatBytes = (bytes: number) => {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${formatDecimal(value, value < 10 && power > 0 ? 1 : 0)} ${BYTE_UNITS[power]}`
}

const formatDegrees = (value: number) => `${formatDecimal(Math.abs(value))}°`

/** '57.60° N, 152.20° W'. */
export const formatPosition = ([latitude, longitude]: readonly [number, number]) =>
  `${formatDegrees(latitude)} ${latitude < 0 ? 'S' : 'N'}, ${formatDegrees(longitude)} ${longitude < 0 ? 'W' : 'E'}`

const KM_PER_MILE = 1.609344

const roundDistance = (length: number) => formatShort(length < 10 ? length : Math.round(length))

/** '270 km' or '168 mi', in the units of the tenant. */
export const formatDistance = (km: number, units: Units) =>
  units === 'imperial' ? `${roundDistance(km / KM_PER_MILE)} mi` : `${roundDistance(km)} km`
