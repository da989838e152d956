import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { continueTo, isLanding } from '../../continue-to.ts'
import { useSession } from '../../session.ts'
import { Waiting } from '../../ui/Waiting.tsx'

/** Shows its pages to signed-in users. A bad network does not redirect anybody to the sign-in. */
export function Protected() {
  const session = useSession()
  if (session.state === 'signed out') return <RedirectToSignIn />
  if (session.state === 'checking') return <Waiting text="Loading..." retry={session.retry} />
  return <SignedInOutlet />
}

function RedirectToSignIn() {
  const requested = useLocation({ select: (location) => location.href })
  useEffect(() => {
    // The URL changes to that of the sign-in while this is still mounted.
    if (!requested.startsWith('/login')) continueTo.store(requested)
  }, [requested])
  return <Navigate to="/login" replace />
}

/** A user who moves on needs no offer to continue any more. New users land on the profile. */
function SignedInOutlet() {
  const here = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (!isLanding(here)) continueTo.clear()
  }, [here])
  return <Outlet />
}
