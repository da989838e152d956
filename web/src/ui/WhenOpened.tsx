import { type ReactNode, Suspense, useState } from 'react'

interface WhenOpenedProps {
  opened: boolean
  /** While the code is loaded. */
  fallback?: ReactNode
  children: ReactNode
}

/** Loads the code of a dialog when it is first opened. It stays mounted from then on, so that closing can be animated. */
export function WhenOpened({ opened, fallback, children }: WhenOpenedProps) {
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return wasOpened ? <Suspense fallback={fallback}>{children}</Suspense> : null
}
