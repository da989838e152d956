import { Button, Stack, Text } from '@mantine/core'
import { Scene } from './Scene.tsx'

interface FailureProps {
  what: string
  why: string
  onRetry: () => void
  /** It replaces the whole page, so its title is the page heading. */
  isPage?: boolean
}

/** What failed, why, and a retry button. */
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
