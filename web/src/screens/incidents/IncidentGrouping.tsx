import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import { canRegroup, type Incident, type IncidentDecision, type IncidentLoss, incidents } from '#contract/incidents.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'
import { ChoiceDialog } from './ChoiceDialog.tsx'

const describeDecision = ({ kind, terminals, by, at }: IncidentDecision) => {
  const what = formatCounted(terminals, 'terminal')
  const did = kind === 'merge' ? `Merged by hand: ${what}` : `Taken out by hand: ${what}`
  return `${did}${by ? `, by ${by}` : ''}, ${formatExactTime(at)}`
}

interface GroupingProps {
  incident: Incident
  losses: readonly IncidentLoss[]
  decisions: readonly IncidentDecision[]
}

/** Lets an administrator merge and split incidents, and undo it. */
export function IncidentGrouping({ incident, losses, decisions }: GroupingProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'merge' | 'split'>()
  const { id } = incident
  const done = {
    onSuccess: async ({ message, incident: next }: { message: string; incident: string }) => {
      setOpen(undefined)
      notice.success(message)
      await queries.invalidateQueries({ queryKey: ['incidents'] })
      if (next !== id) await navigate({ to: '/incidents/$id', params: { id: next } })
    },
    onError: (error: Error) => notice.error(getErrorMessage(error)),
  }
  const merge = useMutation({
    mutationFn: (others: string[]) => call(incidents.merge, { id, incidents: others }),
    ...done,
  })
  const split = useMutation({ mutationFn: (terminals: string[]) => call(incidents.split, { id, terminals }), ...done })
  const undo = useMutation({ mutationFn: (decision: string) => call(incidents.undo, { id, decision }), ...done })
  const terminals = [...new Map(losses.map(({ deviceId, name }) => [deviceId, name]))]
  return (
    <>
      <Button variant="default" h="var(--touch)" onClick={() => setOpen('merge')}>
        Merge…
      </Button>
      {terminals.length > 1 && (
        <Button variant="default" h="var(--touch)" onClick={() => setOpen('split')}>
          Take terminals out…
        </Button>
      )}
      {decisions.map((decision) => (
        <Group key={decision.id} w="100%" gap="sm">
          <Text c="var(--quiet)" style={{ overflowWrap: 'anywhere' }}>
            {describeDecision(decision)}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            loading={undo.isPending && undo.variables === decision.id}
            onClick={() => undo.mutate(decision.id)}
          >
            Undo
          </Button>
        </Group>
      ))}
      {open === 'merge' && (
        <MergeDialog
          incident={incident}
          pending={merge.isPending}
          onChoose={(others) => merge.mutate(others)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'split' && (
        <ChoiceDialog
          title="Take terminals out"
          text="They become a separate incident, and your decision stays when incidents are evaluated again."
          label="Terminals"
          choices={terminals.map(([value, label]) => ({ value, label }))}
          empty="No terminals."
          action="Take out"
          pending={split.isPending}
          onChoose={(chosen) => split.mutate(chosen)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

interface MergeDialogProps {
  incident: Incident
  pending: boolean
  onChoose: (ids: string[]) => void
  onClose: () => void
}

function MergeDialog({ incident, ...rest }: MergeDialogProps) {
  const query = useQuery({
    queryKey: ['incidents', 'mergeable'],
    queryFn: ({ signal }) => call(incidents.list, { show: 'all', limit: 200 }, signal),
  })
  const others = query.data?.incidents.filter((each) => each.id !== incident.id && canRegroup(each, Date.now()))
  return (
    <ChoiceDialog
      title="Merge incidents"
      text={`The chosen incidents become part of this one: ${formatIncidentTitle(incident)}.`}
      label="Incidents"
      choices={(query.isError ? [] : others)?.map((each) => ({
        value: each.id,
        label: `${formatIncidentTitle(each)}, ${formatExactTime(each.startedAt)}`,
      }))}
      empty={
        query.isError
          ? getErrorMessage(query.error)
          : 'There is no other incident that lasts or ended within three hours.'
      }
      action="Merge"
      {...rest}
    />
  )
}
