import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { describeDevice } from '#contract/device.ts'
import { factors } from '#contract/factors.ts'
import { call, getErrorMessage } from '../../api.ts'
import { createPasskey, isDismissal } from '../../parts/passkeys.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { useFactorChange } from './factors.ts'

const MAX_NAME = 60

const add = async (name: string) => {
  const { options } = await call(factors.startPasskey, {})
  return call(factors.addPasskey, { name, passkey: await createPasskey(options) })
}

interface PasskeyDialogProps {
  onClose: () => void
  /** The recovery codes returned with the first factor. */
  onCodes: (codes: readonly string[]) => void
}

/** Asks for a name, then makes the browser create a passkey. */
export function PasskeyDialog({ onClose, onCodes }: PasskeyDialogProps) {
  const [error, setError] = useState<string>()
  const change = useFactorChange(add)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setError(name === '' ? 'This field is required.' : undefined)
    if (name === '') return
    change.mutate(name, {
      onSuccess: ({ message, recoveryCodes }) => {
        notice.success(message)
        onClose()
        if (recoveryCodes) onCodes(recoveryCodes)
      },
    })
  }
  const problem = change.error && !isDismissal(change.error) ? getErrorMessage(change.error) : undefined
  return (
    <Dialog onClose={onClose} title="Add Passkey" centered closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Text size="sm">
            Your device, your password manager or a security key then signs you in, with your fingerprint, face or PIN.
          </Text>
          <TextInput
            name="name"
            label="Name"
            description="By which you recognize it"
            defaultValue={describeDevice(navigator.userAgent)}
            maxLength={MAX_NAME}
            required
            autoComplete="off"
            error={error}
            data-autofocus
          />
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" h="var(--touch)" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" h="var(--touch)" loading={change.isPending}>
              Create Passkey
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
