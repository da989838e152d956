import { Stack, Text } from '@mantine/core'
import type { LogEntry } from '#contract/audit.ts'
import { describeEntry } from '#contract/audit-sentences.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import classes from './DetailsDialog.module.css'
import { readDetails } from './details.ts'

/** All details of the entries of one change. */
export function DetailsDialog({ entries, onClose }: { entries: readonly LogEntry[]; onClose: () => void }) {
  const [first] = entries
  const title =
    entries.length === 1
      ? `Entry ${first?.id}: ${first?.actionType}`
      : formatCounted(entries.length, 'entry', 'entries')
  return (
    <Dialog onClose={onClose} title={title} centered size="lg">
      <Stack gap="xl">
        {entries.map((entry) => (
          <EntryDetails key={entry.id} entry={entry} />
        ))}
      </Stack>
    </Dialog>
  )
}

function EntryDetails({ entry }: { entry: LogEntry }) {
  const { changes, facts } = readDetails(entry.details)
  const rows = [
    { name: 'Performer', value: entry.actionPerformer },
    { name: 'Performee', value: entry.actionPerformee },
    { name: 'Time', value: formatExactTime(entry.actionTime) },
    ...facts,
  ]
  return (
    <Stack gap="md">
      <Text fw={600}>{describeEntry(entry)}</Text>
      <Facts facts={rows} />
      {changes.length > 0 ? (
        <table className={classes.changes}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        facts.length === 0 && <Text c="var(--quiet)">There are no details.</Text>
      )}
    </Stack>
  )
}
