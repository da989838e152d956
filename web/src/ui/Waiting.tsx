import { Button, Stack, Text } from '@mantine/core'
import { useTimeout, useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { Scene } from './Scene.tsx'

interface WaitingProps {
  text: string
  /** Offered after a long wait, and called when the network comes back. */
  retry?: () => void
}

const longWaitMs = 10_000

/** A loading message that offers a retry after ten seconds. */
export function Waiting({ text, retry }: WaitingProps) {
  const [long, setLong] = useState(false)
  useTimeout(() => setLong(true), longWaitMs, { autoInvoke: true })
  useWindowEvent('online', () => retry?.())
  return (
    <Stack align="center" justify="center" mih="60dvh" gap="md" role="status">
      {long && retry && <Scene name="waves" />}
      <Text c="var(--quiet)">{text}</Text>
      {long && retry && (
        <>
          <Text c="var(--quiet)" size="xs">
            The server has not answered yet.
          </Text>
          <Button variant="default" onClick={retry}>
            Retry
          </Button>
        </>
      )}
    </Stack>
  )
}
