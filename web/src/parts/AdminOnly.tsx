import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '../session.ts'

/** Lets administrators through. The server decides for itself what it answers to whom. */
export function AdminOnly() {
  const session = useSession()
  if (session.state === 'signed in' && session.user.role !== 'admin') return <Navigate to="/forbidden" replace />
  return <Outlet />
}
