import { formatCount, formatCounted } from './numbers.ts'

const STEPS = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
]

/** '6 s', '14 min', '3 d'. Clocks differ a little, so a negative duration counts as zero. */
export function formatDuration(ms: number) {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const step = STEPS.find((candidate) => seconds >= candidate.seconds)
  return step ? `${formatCount(Math.floor(seconds / step.seconds))} ${step.unit}` : `${seconds} s`
}

/** '6 s ago', '14 min ago', '3 d ago'. */
export const formatAge = (thenMs: number, nowMs: number) => `${formatDuration(nowMs - thenMs)} ago`

/** '3 days, 4 hours, 5 minutes'. */
export function formatUptime(seconds: number) {
  const minutes = Math.floor(seconds / 60)
  return [
    formatCounted(Math.floor(minutes / 1440), 'day'),
    formatCounted(Math.floor(minutes / 60) % 24, 'hour'),
    formatCounted(minutes % 60, 'minute'),
  ].join(', ')
}

/** In the time of a whole fleet, hours do not matter. */
const LONG_S = 1000 * 86_400

/** '45 s', '3 min', '2 h 5 min', '12 d 3 h', '12,345 d': the two largest units. */
export function formatLength(seconds: number) {
  const largest = STEPS.findIndex((candidate) => seconds >= candidate.seconds)
  const step = STEPS[largest]
  if (!step) return `${Math.round(seconds)} s`
  const next = STEPS[largest + 1]
  const rest = next && seconds < LONG_S ? Math.floor((seconds % step.seconds) / next.seconds) : 0
  const whole = `${formatCount(Math.floor(seconds / step.seconds))} ${step.unit}`
  return next && rest > 0 ? `${whole} ${rest} ${next.unit}` : whole
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Such as 0:05, 14:59 or 1:00:00. */
export function formatCountdown(seconds: number) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = pad(seconds % 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`
}
