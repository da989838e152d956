import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { logOut } from '../../session.ts'
import { tokens } from '../../tokens.ts'
import { Waiting } from '../../ui/Waiting.tsx'

/** Ends the session, clears the browser's storage and redirects to the sign-in. */
export function LogoutPage() {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving happens once, when the page opens
  useEffect(() => {
    const ending = tokens.access ? logOut() : Promise.resolve(undefined)
    void ending.then((continueAt) => {
      localStorage.clear()
      tokens.clear()
      if (continueAt) return location.assign(continueAt)
      void navigate({ to: '/login', replace: true })
    })
  }, [])
  return <Waiting text="Loading..." />
}
