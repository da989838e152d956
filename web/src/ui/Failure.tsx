import { Button, Stack, Text } from '@mantine/core'

interface FailureProps {
  what: string
  why: string
  onRetry: () => void
}

/** What failed, why, and the way to try again. */
export function Failure({ what, why, onRetry }: FailureProps) {
  return (
    <Stack align="center" gap="xs" p="lg" ta="center" role="alert">
      <Text fw={600}>{what}</Text>
      <Text c="var(--quiet)">{why}</Text>
      <Button variant="default" onClick={onRetry}>
        Retry
      </Button>
    </Stack>
  )
}
