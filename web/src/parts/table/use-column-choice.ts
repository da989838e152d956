import { useState } from 'react'
import { useTenantId } from '../../brand/tenant.ts'
import { useSession } from '../../session.ts'
import { type ColumnChoice, readChoice } from './chosen-columns.ts'

/** The columns of a table as this person chose them; kept in this browser, apart from everybody else's. */
export function useColumnChoice(table: string) {
  const tenant = useTenantId()
  const session = useSession()
  const email = session.state === 'signed in' ? session.user.email : ''
  const key = `dishboard:columns:${table}:${tenant ?? ''}:${email}`
  const [changed, setChanged] = useState<{ key: string; choice: ColumnChoice }>()
  const choice = changed?.key === key ? changed.choice : readChoice(localStorage.getItem(key))
  const choose = (next: ColumnChoice) => {
    localStorage.setItem(key, JSON.stringify(next))
    setChanged({ key, choice: next })
  }
  return { choice, choose }
}
