import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { continueTo, isLanding } from '../../continue-to.ts'
import { useSession } from '../../session.ts'
import { Waiting } from '../../ui/Waiting.tsx'

/** Lets signed-in people through; nobody is sent away because the network is bad. */
export function Protected() {
  const session = useSession()
  if (session.state === 'signed out') return <ToSignIn />
  if (session.state === 'checking') return <Waiting text="Loading..." retry={session.retry} />
  return <Arrived />
}

function ToSignIn() {
  const wanted = useLocation({ select: (location) => location.href })
  useEffect(() => {
    // The address changes to that of the sign-in while this is still on the page.
    if (!wanted.startsWith('/login')) continueTo.remember(wanted)
  }, [wanted])
  return <Navigate to="/login" replace />
}

/** Whoever moves on by themselves needs no offer any more; the profile is where new people land. */
function Arrived() {
  const here = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (!isLanding(here)) continueTo.clear()
  }, [here])
  return <Outlet />
}
