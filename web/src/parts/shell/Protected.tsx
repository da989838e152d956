import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '../../session.ts'
import { Waiting } from '../../ui/Waiting.tsx'

/** Lets signed-in people through; nobody is sent away because the network is bad. */
export function Protected() {
  const session = useSession()
  if (session.state === 'signed out') return <Navigate to="/login" replace />
  if (session.state === 'checking') return <Waiting text="Loading..." retry={session.retry} />
  return <Outlet />
}
