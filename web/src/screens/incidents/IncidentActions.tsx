import { Button, Group, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Incident, incidents } from '#contract/incidents.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'

const SNOOZE_MS = 3_600_000

interface IncidentActionsProps {
  incident: Incident
  /** Further buttons. */
  children: ReactNode
}

/** Lets an administrator acknowledge or snooze an incident that lasts. */
export function IncidentActions({ incident, children }: IncidentActionsProps) {
  const { id, note, acknowledgedAt, snoozedUntil, endedAt } = incident
  const queries = useQueryClient()
  const [text, setText] = useState(note)
  const done = {
    onSuccess: async ({ message }: { message: string }) => {
      notice.success(message)
      await queries.invalidateQueries({ queryKey: ['incidents'] })
    },
    onError: (error: Error) => notice.error(getErrorMessage(error)),
  }
  const acknowledge = useMutation({ mutationFn: () => call(incidents.acknowledge, { id, note: text }), ...done })
  const snooze = useMutation({
    mutationFn: (until: Date | null) => call(incidents.snooze, { id, until }),
    ...done,
  })
  const isSnoozed = snoozedUntil !== null && snoozedUntil.getTime() > Date.now()
  if (endedAt)
    return (
      <Group mt="sm" gap="sm">
        {children}
      </Group>
    )
  return (
    <>
      <Textarea
        mt="sm"
        label="Note"
        maxLength={1000}
        autosize
        minRows={2}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group mt="sm" gap="sm">
        <Button h="var(--touch)" onClick={() => acknowledge.mutate()} loading={acknowledge.isPending}>
          {acknowledgedAt ? 'Save note' : 'Acknowledge'}
        </Button>
        <Button
          variant="default"
          h="var(--touch)"
          loading={snooze.isPending}
          onClick={() => snooze.mutate(isSnoozed ? null : new Date(Date.now() + SNOOZE_MS))}
        >
          {isSnoozed ? 'Show again' : 'Snooze for an hour'}
        </Button>
        {children}
      </Group>
    </>
  )
}
