import { useCallback, useState } from 'react'
import { useTenantId } from '../../brand/tenant.ts'
import { useSession } from '../../session.ts'

/** How a user is alerted to problems while a page is open. */
export interface AlertChoice {
  notifies: boolean
  sounds: boolean
}

const nothing: AlertChoice = { notifies: false, sounds: false }

const read = (stored: string | null): AlertChoice => {
  try {
    const { notifies, sounds } = { ...nothing, ...JSON.parse(stored ?? '{}') }
    return { notifies: notifies === true, sounds: sounds === true }
  } catch {
    return nothing
  }
}

/** The user's choice in this browser. */
export function useAlertChoice() {
  const tenant = useTenantId()
  const session = useSession()
  const email = session.state === 'signed in' ? session.user.email : ''
  const key = `dishboard:event-alerts:${tenant ?? ''}:${email}`
  const [changed, setChanged] = useState<{ key: string; choice: AlertChoice }>()
  const choice = changed?.key === key ? changed.choice : read(localStorage.getItem(key))
  const choose = useCallback(
    (next: AlertChoice) => {
      localStorage.setItem(key, JSON.stringify(next))
      setChanged({ key, choice: next })
    },
    [key],
  )
  return { choice, choose }
}
