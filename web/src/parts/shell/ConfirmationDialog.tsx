import { Anchor, PasswordInput, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Otp } from '#contract/credentials.ts'
import { type ConfirmationWay, identity } from '#contract/identity.ts'
import { call, getErrorMessage } from '../../api.ts'
import { startConfirmation } from '../../sign-on.ts'
import { CodeInput } from '../../ui/CodeInput.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { hasPasskeys, isDismissal, signWithPasskey } from '../passkeys.ts'

interface ConfirmationDialogProps {
  opened: boolean
  onClose: (isConfirmed: boolean) => void
}

/** Asks for the password, a passkey, a code or a confirmation at the provider, whichever the user has. */
export function ConfirmationDialog({ opened, onClose }: ConfirmationDialogProps) {
  return (
    <Dialog opened={opened} onClose={() => onClose(false)} title="Confirm that it is you" centered>
      <Confirmation onClose={onClose} />
    </Dialog>
  )
}

type OnClose = ConfirmationDialogProps['onClose']

const forms: Record<ConfirmationWay, (props: { onClose: OnClose }) => ReactNode> = {
  passkey: PasskeyForm,
  totp: CodeForm,
  password: PasswordForm,
  'single sign-on': SignOnForm,
}

const wayNames: Record<ConfirmationWay, string> = {
  passkey: 'a passkey',
  totp: 'a code of your authenticator app',
  password: 'your password',
  'single sign-on': 'single sign-on',
}

function Confirmation({ onClose }: { onClose: OnClose }) {
  const { data, isPending } = useQuery({
    queryKey: ['confirmation'],
    queryFn: () => call(identity.startConfirmation, {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [chosen, setChosen] = useState<ConfirmationWay>()
  if (isPending) return <Skeleton height={180} />
  const ways = (data?.ways ?? ['password']).filter((way) => way !== 'passkey' || hasPasskeys())
  const way = chosen ?? ways[0] ?? 'password'
  const Form = forms[way]
  return (
    <Stack gap="md">
      <Text>This change concerns the security of an account.</Text>
      <Form key={way} onClose={onClose} />
      {ways.length > 1 && (
        <Text size="sm">
          Or use{' '}
          {ways
            .filter((other) => other !== way)
            .map((other, index) => (
              <span key={other}>
                {index > 0 && ' or '}
                <Anchor component="button" type="button" size="sm" onClick={() => setChosen(other)}>
                  {wayNames[other]}
                </Anchor>
              </span>
            ))}
          .
        </Text>
      )}
    </Stack>
  )
}

interface FormShellProps {
  action: string
  pending: boolean
  /** An error that no field shows. */
  failure?: string | undefined
  onSubmit: (form: FormData) => void
  onClose: OnClose
  children: ReactNode
}

function FormShell({ action, pending, failure, onSubmit, onClose, children }: FormShellProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!pending) onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {children}
        <FormActions action={action} pending={pending} failure={failure} onCancel={() => onClose(false)} />
      </Stack>
    </form>
  )
}

/** Runs a confirmation and closes the dialog, or reports the error. */
function useConfirmation<Input>(confirm: (input: Input) => Promise<unknown>, onClose: OnClose) {
  const [error, setError] = useState<string>()
  const { mutate, isPending } = useMutation({
    mutationFn: confirm,
    onMutate: () => setError(undefined),
    onSuccess: () => onClose(true),
    onError: (cause) => setError(isDismissal(cause) ? undefined : getErrorMessage(cause)),
  })
  return { mutate, isPending, error, setError }
}

function PasswordForm({ onClose }: { onClose: OnClose }) {
  const confirm = useConfirmation((password: string) => call(identity.confirmPassword, { password }), onClose)
  const submit = (form: FormData) => {
    const password = String(form.get('password') ?? '')
    if (password === '') confirm.setError('This field is required.')
    else confirm.mutate(password)
  }
  return (
    <FormShell action="Confirm" pending={confirm.isPending} onSubmit={submit} onClose={onClose}>
      <PasswordInput
        name="password"
        label="Your password"
        autoComplete="current-password"
        error={confirm.error}
        autoFocus
      />
    </FormShell>
  )
}

function CodeForm({ onClose }: { onClose: OnClose }) {
  const confirm = useConfirmation((code: string) => call(identity.confirmCode, { code }), onClose)
  const submit = (form: FormData) => {
    const parsed = Otp.safeParse(form.get('code'))
    if (parsed.success) confirm.mutate(parsed.data)
    else confirm.setError(parsed.error.issues[0]?.message)
  }
  return (
    <FormShell action="Confirm" pending={confirm.isPending} onSubmit={submit} onClose={onClose}>
      <CodeInput name="code" label="Code of your authenticator app" error={confirm.error} autoFocus />
    </FormShell>
  )
}

const confirmPasskey = async () => {
  // A signed challenge is valid once, so each attempt needs its own.
  const { passkey } = await call(identity.startConfirmation, {})
  if (!passkey) throw new Error('You have no passkey for this address.')
  return call(identity.confirmPasskey, { proof: await signWithPasskey(passkey) })
}

function PasskeyForm({ onClose }: { onClose: OnClose }) {
  const confirm = useConfirmation(confirmPasskey, onClose)
  return (
    <FormShell
      action="Use my passkey"
      pending={confirm.isPending}
      failure={confirm.error}
      onSubmit={() => confirm.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm" c="var(--quiet)">
        Your device asks for your fingerprint, face or PIN.
      </Text>
    </FormShell>
  )
}

/** This leaves the page, so the user has to repeat the change. */
function SignOnForm({ onClose }: { onClose: OnClose }) {
  const [error, setError] = useState<string>()
  const leave = useMutation({
    mutationFn: startConfirmation,
    onError: (cause) => setError(getErrorMessage(cause)),
  })
  return (
    <FormShell
      action="Go to single sign-on"
      pending={leave.isPending}
      failure={error}
      onSubmit={() => leave.mutate()}
      onClose={onClose}
    >
      <Text size="sm" c="var(--quiet)">
        Your sign-in service asks who you are. Then make the change again.
      </Text>
    </FormShell>
  )
}
