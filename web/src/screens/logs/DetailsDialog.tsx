import { Modal, Stack, Text } from '@mantine/core'
import type { LogEntry } from '#contract/audit.ts'
import { formatExactTime } from '#contract/format/times.ts'
import classes from './DetailsDialog.module.css'
import { readDetails } from './details.ts'

export function DetailsDialog({ entry, onClose }: { entry: LogEntry; onClose: () => void }) {
  const { changes, facts } = readDetails(entry.details)
  const rows = [
    { name: 'Performer', value: entry.actionPerformer },
    { name: 'Performee', value: entry.actionPerformee },
    { name: 'Time', value: formatExactTime(entry.actionTime) },
    ...facts,
  ]
  return (
    <Modal opened onClose={onClose} title={`Entry ${entry.id}: ${entry.actionType}`} centered size="lg">
      <Stack gap="md">
        <dl className={classes.facts}>
          {rows.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
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
    </Modal>
  )
}
