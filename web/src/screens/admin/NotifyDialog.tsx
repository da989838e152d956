import { Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatCounted } from '#contract/format/numbers.ts'
import { users } from '#contract/users.ts'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { notice } from '../../ui/notice.ts'

interface NotifyDialogProps {
  emails: string[]
  /** How many selected users are left out, because the search hides them. */
  hiddenCount: number
  onSent: () => void
  onClose: () => void
}

export function NotifyDialog({ emails, hiddenCount, onSent, onClose }: NotifyDialogProps) {
  const [error, setError] = useState<string>()
  const send = useMutation({
    mutationFn: (message: string) => call(users.notify, { message, users: emails }),
    onSuccess: () => {
      notice.success('Notification sent successfully')
      onSent()
    },
    onError: (failure) => {
      console.warn('The notification was not sent:', failure)
      notice.error('Failed to send notification. Please try again.')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const message = String(new FormData(event.currentTarget).get('message')).trim()
    setError(message === '' ? 'This field is required.' : undefined)
    if (message !== '') send.mutate(message)
  }
  return (
    <Dialog onClose={onClose} title="Notify Users" centered size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Text c="var(--quiet)">
            {emails.length === 1 ? emails[0] : formatCounted(emails.length, 'user')} will get this message by email.
            {hiddenCount > 0 &&
              ` It does not go to ${formatCounted(hiddenCount, 'selected user')} hidden by the search.`}
          </Text>
          <Textarea
            name="message"
            label="Message"
            required
            autosize
            minRows={5}
            maxRows={14}
            maxLength={5000}
            error={error}
            data-autofocus
          />
          <FormActions action="Send" pending={send.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
