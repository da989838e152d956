import { Button, Stack, Text } from '@mantine/core'
import { Scene } from './Scene.tsx'

interface FailureProps {
  what: string
  why: string
  onRetry: () => void
  /** It stands for the whole page, so it is its heading. */
  isPage?: boolean
}

/** What failed, why, and the way to try again. */
export function Failure({ what, why, onRetry, isPage }: FailureProps) {
  return (
    <Stack align="center" gap="xs" p="lg" ta="center" role="alert">
      {isPage && <Scene name="waves" />}
      <Text component={isPage ? 'h1' : 'p'} fw={600}>
        {what}
      </Text>
      <Text c="var(--quiet)">{why}</Text>
      <Button variant="default" onClick={onRetry}>
        Retry
      </Button>
    </Stack>
  )
}
