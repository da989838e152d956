import { Modal, type ModalProps } from '@mantine/core'
import { useEffect } from 'react'

interface DialogProps extends Omit<ModalProps, 'opened'> {
  /** True unless given: most dialogs are mounted only while they are open. */
  opened?: boolean
}

/** A modal dialog that returns the focus. Mantine does so only for one that was mounted before it was opened. */
export function Dialog({ opened = true, ...props }: DialogProps) {
  useEffect(() => {
    if (!opened) return
    const opener = document.activeElement
    return () => {
      const { activeElement } = document
      const isLost = activeElement === document.body || activeElement?.closest('[role="dialog"]')
      if (isLost && opener instanceof HTMLElement) opener.focus()
    }
  }, [opened])
  return <Modal {...props} opened={opened} returnFocus={false} />
}
