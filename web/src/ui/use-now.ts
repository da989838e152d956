import { useEffect, useState } from 'react'

/** The time, again and again; what is shown as an age must grow old. */
export function useNow(everyMs: number) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
