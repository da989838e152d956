import { getOwnTimeZone, toLocalTime } from '#contract/format/times.ts'

const pad = (value: number) => String(value).padStart(2, '0')

/** '2026-11-17T14:02' in the reader's zone, the format of date and time inputs. */
export const toLocalInput = (ms: number) => {
  const { day, minute } = toLocalTime(ms, getOwnTimeZone())
  return `${day}T${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
}
