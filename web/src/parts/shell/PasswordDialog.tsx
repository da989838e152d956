import { Anchor, Button, Group, Modal, PasswordInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { identity } from '#contract/identity.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { startConfirmation } from '../../sign-on.ts'

interface PasswordDialogProps {
  opened: boolean
  onClose: (isConfirmed: boolean) => void
}

export function PasswordDialog({ opened, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const close = (isConfirmed: boolean) => {
    setPassword('')
    setError(undefined)
    onClose(isConfirmed)
  }
  const confirm = useMutation({
    mutationFn: () => call(identity.confirmPassword, { password }),
    onSuccess: () => close(true),
    onError: (cause) => setError(getErrorMessage(cause)),
  })
  const { singleSignOn } = useTenantConfig()
  const leave = useMutation({
    mutationFn: startConfirmation,
    onError: (cause) => setError(getErrorMessage(cause)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setError('This field is required.')
    confirm.mutate()
  }
  return (
    <Modal opened={opened} onClose={() => close(false)} title="Confirm your password" centered>
      <form onSubmit={submit} noValidate>
        <Text mb="md">This change concerns the security of an account. Please enter your own password to go on.</Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={error}
          data-autofocus
        />
        {singleSignOn && (
          <Text size="sm" mt="md">
            Or{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              disabled={leave.isPending}
              onClick={() => leave.mutate()}
            >
              confirm with single sign-on
            </Anchor>{' '}
            and make the change again.
          </Text>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" h="var(--touch)" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button type="submit" h="var(--touch)" loading={confirm.isPending}>
            Confirm
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
