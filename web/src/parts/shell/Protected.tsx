import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
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
  // Where the person wanted to go, not where the redirect leads while it happens.
  const [wanted] = useState(useLocation({ select: (location) => location.href }))
  useEffect(() => continueTo.remember(wanted), [wanted])
  return <Navigate to="/login" replace />
}

/** Whoever moves on by themselves needs no offer any more; the profile is where new people land. */
function Arrived() {
  const here = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (!isLanding(here)) continueTo.forget()
  }, [here])
  return <Outlet />
}
