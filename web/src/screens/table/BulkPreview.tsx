import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bulk, type Change } from '#contract/bulk.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { BulkLines } from './BulkLines.tsx'
import { bulkListKey } from './bulk-queries.ts'
import { describePreview, kindWords } from './bulk-words.ts'

interface BulkPreviewProps {
  terminals: readonly string[]
  change: Change
  /** Returns to the input. */
  onBack: (() => void) | undefined
  onStarted: (id: string) => void
  onClose: () => void
}

const focus = (element: HTMLElement | null) => element?.focus()

/** A preview of the change for each terminal, and the button that starts it. */
export function BulkPreview({ terminals, change, onBack, onStarted, onClose }: BulkPreviewProps) {
  // One idempotency key for all attempts, so that a retry does not start it twice.
  const [key] = useState(() => crypto.randomUUID())
  const queries = useQueryClient()
  const input = { terminals: [...terminals], change }
  const preview = useQuery({
    queryKey: ['bulk preview', key],
    queryFn: ({ signal }) => call(bulk.preview, input, signal),
    gcTime: 0,
  })
  const start = useMutation({
    mutationFn: () => call(bulk.start, input, undefined, key),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: bulkListKey })
      onStarted(id)
    },
  })
  if (preview.error) return <QueryFailure what="The preview could not be loaded." query={preview} />
  if (!preview.data) return <Text role="status">Loading...</Text>
  const { counts, lines } = preview.data
  const words = kindWords[change.kind]
  return (
    <Stack gap="sm">
      <Text role="status" tabIndex={-1} ref={focus}>
        {describePreview(change.kind, counts)}
      </Text>
      <BulkLines lines={lines} nothing={words.nothing} />
      {start.error && (
        <Alert color="red" role="alert">
          {getErrorMessage(start.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack ?? onClose}>
          {onBack ? 'Back' : 'Cancel'}
        </Button>
        <Button
          color={change.kind === 'reboot' ? 'red' : undefined}
          disabled={counts.changing === 0}
          title={counts.changing === 0 ? 'Nothing would change.' : undefined}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {words.action} {formatCounted(counts.changing, 'terminal')}
        </Button>
      </Group>
    </Stack>
  )
}
