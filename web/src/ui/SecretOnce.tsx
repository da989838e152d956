import { Alert, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'

interface SecretOnceProps {
  /** The noun for it in a sentence, such as "token". */
  noun: string
  label: string
  secret: string
  /** What it is for, after "It is not shown again." */
  about: string
  onClose: () => void
}

/** Shows a new secret, which cannot be displayed again. */
export function SecretOnce({ noun, label, secret, about, onClose }: SecretOnceProps) {
  const field = useRef<HTMLInputElement>(null)
  // It replaces a form that had the focus.
  useEffect(() => field.current?.focus(), [])
  return (
    <Stack gap="sm">
      <Alert color="blue" title={`Copy the ${noun} now.`}>
        It is not shown again. {about}
      </Alert>
      <TextInput
        ref={field}
        label={label}
        value={secret}
        readOnly
        data-autofocus
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}
