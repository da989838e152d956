import { type ReactNode, Suspense, useState } from 'react'

/** A dialog whose code comes when it is first opened, and which stays from then on, so that it can close in its own way. */
export function WhenOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return wasOpened ? <Suspense>{children}</Suspense> : null
}
