import { Alert, Button, CopyButton, Group, Modal, Stack, TextInput } from '@mantine/core'

/** Shows the secret of a webhook, once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Secret" centered size="lg" closeOnClickOutside={false}>
      <Stack gap="sm">
        <Alert color="blue" title="Copy the secret now.">
          It is not shown again. With it, the receiver checks that an event comes from here.
        </Alert>
        <TextInput
          label="Signing secret"
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
    </Modal>
  )
}
