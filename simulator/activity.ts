import { getLocalTime, type Place } from './places.ts'

export type Kind = 'home' | 'office' | 'camp' | 'lodge' | 'vessel' | 'truck'

export const CLIENTS: Record<Kind, readonly [number, number]> = {
  home: [3, 12],
  office: [5, 40],
  camp: [20, 150],
  lodge: [4, 20],
  vessel: [2, 25],
  truck: [1, 4],
}

const getNearness = (hour: number, peak: number, width: number) => {
  const distance = Math.min(Math.abs(hour - peak), 24 - Math.abs(hour - peak))
  return Math.max(0, 1 - distance / width)
}

/** The share of time that the link is busy at this local hour. */
export const getBusyShare = (kind: Kind, hour: number, weekday: number): number => {
  const isWeekend = weekday === 0 || weekday === 6
  switch (kind) {
    case 'home':
      return 0.05 + (hour >= 19 && hour < 23 ? 0.5 : 0.22 * getNearness(hour, 18, 5)) + (isWeekend ? 0.05 : 0)
    case 'office':
      return !isWeekend && hour >= 8 && hour < 18 ? 0.55 : 0.03
    case 'camp':
      return 0.15 + 0.6 * Math.max(getNearness(hour, 6, 2.5), getNearness(hour, 18, 3.5))
    case 'lodge':
      return 0.06 + 0.45 * Math.max(getNearness(hour, 7, 2), getNearness(hour, 20, 3))
    case 'vessel':
      return 0.28
    case 'truck':
      return 0.12
  }
}

export const getBusyShareAt = (kind: Kind, place: Place, atMs: number) => {
  const { hour, weekday } = getLocalTime(place, atMs)
  return getBusyShare(kind, hour, weekday)
}

const BURST_SHARE = 0.015
const MEAN_BURST_MBPS = 165
export const THROUGHPUT_SIGMA = 0.6
export const isBurst = (draw: number) => draw < BURST_SHARE

const hoursByDay = new Map<string, number>()

const getBusyHours = (kind: Kind, weekday: number) => {
  const key = `${kind} ${weekday}`
  let hours = hoursByDay.get(key)
  if (hours === undefined) {
    hours = 0
    for (let hour = 0; hour < 24; hour++) hours += getBusyShare(kind, hour, weekday)
    hoursByDay.set(key, hours)
  }
  return hours
}

/** The mean traffic of a whole day in both directions. */
export const getMeanDailyGb = (kind: Kind, busyMedianMbps: number, weekday: number): number => {
  const meanBusyMbps =
    busyMedianMbps * Math.exp(THROUGHPUT_SIGMA ** 2 / 2) * (1 - BURST_SHARE) + MEAN_BURST_MBPS * BURST_SHARE
  const UPLINK = 1.1
  return (getBusyHours(kind, weekday) * 3600 * meanBusyMbps * UPLINK) / 8 / 1000
}
