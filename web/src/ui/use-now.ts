import { createContext, useContext, useEffect, useState } from 'react'

/** The displayed time instead of the present, in milliseconds. */
export const FixedNow = createContext<number | undefined>(undefined)

/** The current time, updated regularly, so that displayed ages grow. */
export function useNow(everyMs: number) {
  const [now, setNow] = useState(Date.now)
  const fixed = useContext(FixedNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return fixed ?? now
}
