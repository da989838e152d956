import { type ReactNode, Suspense, useState } from 'react'

/** Loads the code of a dialog when it is first opened. It stays mounted from then on, so that closing can be animated. */
export function WhenOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return wasOpened ? <Suspense>{children}</Suspense> : null
}
