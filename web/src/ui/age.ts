const steps = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
] as const

/** '6 s', '14 min', '3 d'. Clocks differ a little, so a negative duration is none. */
export function formatDuration(ms: number) {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const step = steps.find((candidate) => seconds >= candidate.seconds)
  return step ? `${Math.floor(seconds / step.seconds)} ${step.unit}` : `${seconds} s`
}

/** '6 s ago', '14 min ago', '3 d ago'. */
export const formatAge = (thenMs: number, nowMs: number) => `${formatDuration(nowMs - thenMs)} ago`

const exact = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** The time of day, for what happened today. */
export const formatClock = (moment: Date) => clock.format(moment)

export const formatExactTime = (moment: Date) => exact.format(moment)
