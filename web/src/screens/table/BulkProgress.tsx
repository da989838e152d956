import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { bulk } from '#contract/bulk.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { notice } from '../../ui/notice.ts'
import classes from './BulkLines.module.css'
import { BulkLines } from './BulkLines.tsx'
import { bulkListKey, bulkQuery } from './bulk-queries.ts'
import { describeProgress, kindWords } from './bulk-words.ts'
import { useSeenChanges } from './use-seen-changes.ts'

interface BulkProgressProps {
  id: string
  /** Undoing is a separate change. */
  onUndo: (id: string) => void
  onClose: () => void
}

/** The progress of a change, line by line. It continues when the dialog is closed. */
export function BulkProgress({ id, onUndo, onClose }: BulkProgressProps) {
  const queries = useQueryClient()
  const query = useQuery(bulkQuery(id))
  const onError = (error: Error) => notice.error(getErrorMessage(error))
  const onSettled = () => Promise.all([query.refetch(), queries.invalidateQueries({ queryKey: bulkListKey })])
  const stop = useMutation({ mutationFn: () => call(bulk.stop, { id }), onSettled, onError })
  const undo = useMutation({
    mutationFn: () => call(bulk.undo, { id }),
    onSuccess: ({ id: undoId }) => onUndo(undoId),
    onSettled,
    onError,
  })
  const { data: change, error } = query
  const { seen, markSeen } = useSeenChanges()
  const isEnded = change !== undefined && change.state !== 'running'
  useEffect(() => {
    if (isEnded && !seen.includes(id)) markSeen(id)
  })
  if (!change)
    return error ? (
      <QueryFailure what="The progress could not be loaded." query={query} />
    ) : (
      <Text role="status">Loading...</Text>
    )
  const { counts, kind, state } = change
  const all = counts.waiting + counts.done + counts.unchanged + counts.failed
  return (
    <Stack gap="sm">
      <Text role="status">{describeProgress(change)}</Text>
      <progress className={classes.bar} aria-label="Progress" max={all} value={all - counts.waiting} />
      <BulkLines lines={change.lines} nothing={kindWords[kind].nothing} />
      <Group justify="flex-end">
        {state === 'running' && (
          <Text size="sm" c="var(--quiet)" mr="auto">
            It continues when you close this, and stops when you sign out.
          </Text>
        )}
        {state === 'running' && (
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
        {change.canUndo && (
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
            Undo
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  )
}
