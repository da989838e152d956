const steps = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
] as const

/** '6 s ago', '14 min ago', '3 d ago'. Clocks differ a little, so the future is now. */
export function formatAge(thenMs: number, nowMs: number) {
  const seconds = Math.max(0, Math.floor((nowMs - thenMs) / 1000))
  const step = steps.find((candidate) => seconds >= candidate.seconds)
  return step ? `${Math.floor(seconds / step.seconds)} ${step.unit} ago` : `${seconds} s ago`
}

const exact = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

export const formatExactTime = (moment: Date) => exact.format(moment)
