import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface MessagePageProps {
  title: string
  text?: string
  children?: ReactNode
}

/** A single message in the middle of the page, with an optional link. */
export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <Stack component="section" align="center" justify="center" gap="sm" mih="60dvh" p="lg" ta="center">
      <Title order={1} style={{ whiteSpace: 'pre-wrap' }}>
        {title}
      </Title>
      {text && (
        <Text c="var(--quiet)" maw={480}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  )
}
