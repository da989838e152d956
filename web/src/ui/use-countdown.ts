import { useEffect, useState } from 'react'

/** Whole seconds until a moment, updated each second; 0 when it has passed, or without one. */
export function useCountdown(untilMs: number | undefined) {
  const [now, setNow] = useState(Date.now)
  const isOver = untilMs === undefined || now >= untilMs
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return isOver ? 0 : Math.ceil((untilMs - now) / 1000)
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Such as 0:05, 14:59 or 1:00:00. */
export function formatCountdown(seconds: number) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = pad(seconds % 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`
}
