import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

interface MessageDialogProps {
  title: string
  /** Undefined: closed. */
  text: string | undefined
  onClose: () => void
}

/** A message to acknowledge before continuing. */
export function MessageDialog({ title, text, onClose }: MessageDialogProps) {
  return (
    <Dialog opened={text !== undefined} onClose={onClose} title={title} centered>
      <Text style={{ overflowWrap: 'anywhere' }}>{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          OK
        </Button>
      </Group>
    </Dialog>
  )
}

interface QuestionDialogProps {
  title: string
  opened: boolean
  pending: boolean
  /** The label of the confirm button. */
  action: string
  isDangerous?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks for confirmation of something that cannot be undone. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { title, opened, pending, action, isDangerous, onConfirm, onClose, children } = props
  return (
    <Dialog opened={opened} onClose={onClose} title={title} centered>
      <Text component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={isDangerous ? 'red' : undefined} onClick={onConfirm} loading={pending}>
          {action}
        </Button>
      </Group>
    </Dialog>
  )
}
