import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { encode } from 'uqr'
import { Otp } from '#contract/credentials.ts'
import { factors } from '#contract/factors.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { CodeInput } from '../../ui/CodeInput.tsx'
import { Copyable } from '../../ui/Copyable.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { useFactorChange } from './factors.ts'
import classes from './SecondFactors.module.css'

interface TotpDialogProps {
  onClose: () => void
  /** The recovery codes returned with the first factor. */
  onCodes: (codes: readonly string[]) => void
}

/** Shows a new secret as a QR code and as text, and asks for a code generated from it. */
export function TotpDialog({ onClose, onCodes }: TotpDialogProps) {
  // Once per dialog, because every request creates another secret.
  const started = useQuery({
    queryKey: ['new totp secret'],
    queryFn: () => call(factors.startTotp, {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnMount: 'always',
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog onClose={onClose} title="Add App" centered closeOnClickOutside={false}>
      {started.isError && <QueryFailure what="The app cannot be added now." query={started} />}
      {started.isPending && <Skeleton height={320} />}
      {started.data && <ConfirmForm {...started.data} onClose={onClose} onCodes={onCodes} />}
    </Dialog>
  )
}

function ConfirmForm({ secret, uri, onClose, onCodes }: TotpDialogProps & { secret: string; uri: string }) {
  const [error, setError] = useState<string>()
  const confirm = useFactorChange((code: string) => call(factors.confirmTotp, { code }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const parsed = Otp.safeParse(new FormData(event.currentTarget).get('code'))
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message)
    if (!parsed.success || confirm.isPending) return
    confirm.mutate(parsed.data, {
      onSuccess: ({ message, recoveryCodes }) => {
        notice.success(message)
        onClose()
        if (recoveryCodes) onCodes(recoveryCodes)
      },
      onError: (cause) => setError(getErrorMessage(cause)),
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">Scan this with an authenticator app on your phone, or enter the key there.</Text>
        <QrCode text={uri} />
        <div className={classes.key}>
          <Copyable text={secret} of="key">
            <output className={classes.secret} aria-label="Key">
              {secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </output>
          </Copyable>
        </div>
        <Text size="sm">Then enter the six digits that the app shows.</Text>
        <CodeInput name="code" label="Code" error={error} autoFocus />
        <Group justify="flex-end">
          <Button variant="default" h="var(--touch)" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" h="var(--touch)" loading={confirm.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Dark on light in dark mode too: many cameras cannot read the inverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className={classes.picture} viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
