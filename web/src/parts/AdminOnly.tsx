import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '../session.ts'

/** Shows its pages to administrators only. The server checks every call by itself. */
export function AdminOnly() {
  const session = useSession()
  if (session.state === 'signed in' && session.user.role !== 'admin') return <Navigate to="/forbidden" replace />
  return <Outlet />
}
