import { Navigate, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { continueTo, isLanding } from '../../continue-to.ts'
import { usePage } from '../../pages.ts'
import { useSession } from '../../session.ts'
import { Waiting } from '../../ui/Waiting.tsx'

/** Shows a page only to users who may open it. A network failure never redirects. */
export function PageGuard({ children }: { children: ReactNode }) {
  const { access, isForNewUsers, deniedTo = '/forbidden' } = usePage()
  const session = useSession()
  if (access === 'public') return children
  if (session.state === 'signed out') return <RedirectToSignIn />
  if (session.state === 'checking') return <Waiting text="Loading..." retry={session.retry} />
  if ((session.user.newUser || session.user.mustAddFactor) && !isForNewUsers) return <Navigate to="/profile" replace />
  if (access === 'admin' && session.user.role !== 'admin') return <Navigate to={deniedTo} replace />
  return <Opened>{children}</Opened>
}

function RedirectToSignIn() {
  const requested = useLocation({ select: (location) => location.href })
  useEffect(() => {
    // The URL changes to the sign-in page while this is still mounted.
    if (!requested.startsWith('/login')) continueTo.store(requested)
  }, [requested])
  return <Navigate to="/login" replace />
}

/** A user who opens another page does not need the offer to continue. */
function Opened({ children }: { children: ReactNode }) {
  const here = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (!isLanding(here)) continueTo.clear()
  }, [here])
  return children
}
