import { formatLength } from './format/durations.ts'
import { formatCounted } from './format/numbers.ts'

/* The last 24 hours of a terminal in half hours, as 17 characters. Half hours are numbered since 1970, and each has a fixed
   slot in a ring of 48: the text of a terminal that was up all day does not change when the next one begins. Each of the
   first 16 characters holds three half hours, two bits each. The last one is the minute of the latest change within its half
   hour. */
export const HALF_HOUR_MS = 1_800_000
export const HALF_HOURS = 48

export const heartbeatStates = ['not observed', 'up', 'partly down', 'down'] as const
export type HeartbeatState = (typeof heartbeatStates)[number]

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const PER_CHARACTER = 3
const CHARACTERS = HALF_HOURS / PER_CHARACTER

export const getHalfHour = (ms: number) => Math.floor(ms / HALF_HOUR_MS)

/** `states` are those of the 48 half hours up to `last`, oldest first. */
export function formatHeartbeat(states: readonly HeartbeatState[], last: number, changeMinute: number) {
  const values = new Array<number>(CHARACTERS).fill(0)
  for (const [index, state] of states.entries()) {
    const place = (last + 1 + index) % HALF_HOURS
    const at = Math.floor(place / PER_CHARACTER)
    values[at] = (values[at] as number) | (heartbeatStates.indexOf(state) << (2 * (place % PER_CHARACTER)))
  }
  return [...values, changeMinute].map((value) => ALPHABET[value]).join('')
}

/** The state of one of the 48 half hours that the text covers. */
export function getHeartbeatState(text: string, halfHour: number): HeartbeatState {
  const place = halfHour % HALF_HOURS
  const value = ALPHABET.indexOf(text[Math.floor(place / PER_CHARACTER)] ?? '')
  return heartbeatStates[(value >> (2 * (place % PER_CHARACTER))) & 3] ?? 'not observed'
}

/** The states of the 48 half hours up to `last`, oldest first. */
export const readHeartbeat = (text: string, last: number): HeartbeatState[] =>
  Array.from({ length: HALF_HOURS }, (_, index) => getHeartbeatState(text, last - HALF_HOURS + 1 + index))

/** When the terminal last went down or recovered, to the minute; null if it did neither in these 24 hours. */
export function findLastChangeMs(text: string, last: number): number | null {
  const minute = Math.max(0, ALPHABET.indexOf(text[CHARACTERS] ?? ''))
  const at = (halfHour: number) => halfHour * HALF_HOUR_MS + minute * 60_000
  const states = readHeartbeat(text, last)
  let later: { halfHour: number; state: HeartbeatState } | undefined
  for (let index = states.length - 1; index >= 0; index--) {
    const halfHour = last - HALF_HOURS + 1 + index
    const state = states[index] as HeartbeatState
    if (state === 'not observed') continue
    if (state === 'partly down') return at(halfHour)
    // A terminal that recovers late in a half hour leaves it marked as down; one that goes down early marks the whole half
    // hour.
    if (later && later.state !== state) return at(state === 'down' ? halfHour : later.halfHour)
    later = { halfHour, state }
  }
  return null
}

/** '24 hours: 2 h 30 min down, down at times in 3 half hours, 30 min not observed'. */
export function describeHeartbeat(text: string, last: number) {
  const states = readHeartbeat(text, last)
  const count = (wanted: HeartbeatState) => states.filter((state) => state === wanted).length
  const formatTime = (halfHours: number) => formatLength((halfHours * HALF_HOUR_MS) / 1000)
  const [down, partly, unknown] = [count('down'), count('partly down'), count('not observed')]
  if (down === HALF_HOURS || unknown === HALF_HOURS) return `24 hours: ${states[0]}`
  const parts = [
    down > 0 && `${formatTime(down)} down`,
    partly > 0 && `down at times in ${formatCounted(partly, 'half hour')}`,
    unknown > 0 && `${formatTime(unknown)} not observed`,
  ].filter(Boolean)
  return `24 hours: ${parts.join(', ') || 'up'}`
}
