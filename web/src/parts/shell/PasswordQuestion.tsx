import { lazy, useEffect, useState } from 'react'
import { setPasswordQuestion } from '../../reauthentication.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'

const PasswordDialog = lazy(() => import('./PasswordDialog.tsx').then((it) => ({ default: it.PasswordDialog })))

/** Asks for the password when the server wants a sensitive change to be confirmed. The call is then repeated. */
export function PasswordQuestion() {
  const [resolve, setResolve] = useState<(isConfirmed: boolean) => void>()
  useEffect(
    () =>
      setPasswordQuestion(
        () =>
          new Promise((settle) => {
            setResolve(() => settle)
          }),
      ),
    [],
  )
  const close = (isConfirmed: boolean) => {
    resolve?.(isConfirmed)
    setResolve(undefined)
  }
  return (
    <WhenOpened opened={resolve !== undefined}>
      <PasswordDialog opened={resolve !== undefined} onClose={close} />
    </WhenOpened>
  )
}
