import { useState } from 'react'
import { useTenantId } from '../../brand/tenant.ts'
import { useSession } from '../../session.ts'
import { type ColumnChoice, readChoice } from './chosen-columns.ts'

/** The user's choice of columns, stored in this browser per table, tenant and user. */
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
