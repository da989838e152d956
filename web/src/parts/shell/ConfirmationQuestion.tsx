import { lazy, useEffect, useState } from 'react'
import { setConfirmationQuestion } from '../../reauthentication.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'

const ConfirmationDialog = lazy(() =>
  import('./ConfirmationDialog.tsx').then((it) => ({ default: it.ConfirmationDialog })),
)

/** Reauthenticates the user when the server requires it for a sensitive change. The call is then repeated. */
export function ConfirmationQuestion() {
  const [resolve, setResolve] = useState<(isConfirmed: boolean) => void>()
  useEffect(
    () =>
      setConfirmationQuestion(
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
      <ConfirmationDialog opened={resolve !== undefined} onClose={close} />
    </WhenOpened>
  )
}
