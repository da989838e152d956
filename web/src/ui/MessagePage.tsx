import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Scene, type SceneName } from './Scene.tsx'

interface MessagePageProps {
  title: string
  text?: string
  scene?: SceneName
  children?: ReactNode
}

/** A single message in the middle of the page, with an optional link. */
export function MessagePage({ title, text, scene, children }: MessagePageProps) {
  return (
    <Stack component="section" align="center" justify="center" gap="sm" mih="60dvh" p="lg" ta="center">
      {scene && <Scene name={scene} />}
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
