import { Text } from '@mantine/core'
import type { FormEvent } from 'react'
import { FormMessage } from './FormMessage.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { usePasskey } from './use-passkey.ts'

/** Asks for a passkey after the password. */
export function PasskeyForm({ onNewUser }: { onNewUser: () => void }) {
  const { signIn, pending, problem } = usePasskey('second factor', onNewUser)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void signIn()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" c="var(--quiet)">
        Use your passkey to continue. Your device asks for your fingerprint, face or PIN.
      </Text>
      <FormMessage problem={problem} waitSeconds={0} />
      <SubmitButton pending={pending} isWaiting={false}>
        Use my passkey
      </SubmitButton>
    </form>
  )
}
