import { useEffect, useState } from 'react'

/** Whole seconds until a time, updated each second; 0 once it has passed or if undefined. */
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
