import { Text } from '@mantine/core'
import type { ImportLine } from '#contract/users.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import classes from './ImportLines.module.css'

const words: Record<ImportLine['outcome'], string> = {
  create: 'Create',
  change: 'Change',
  none: 'No change',
  fault: 'Fault',
}

const columns: Column<ImportLine>[] = [
  { key: 'line', header: 'Place', widthPx: 90, cell: ({ line }) => `Line ${line}` },
  {
    key: 'outcome',
    header: 'What happens',
    widthPx: 140,
    cell: ({ outcome }) => (
      <span className={classes.outcome} data-outcome={outcome}>
        {words[outcome]}
      </span>
    ),
  },
  { key: 'email', header: 'Email', widthPx: 210, cell: ({ email }) => email || '-' },
  {
    key: 'text',
    header: 'Details',
    widthPx: 300,
    cell: ({ text }) => (
      <span title={text} className={classes.text}>
        {text}
      </span>
    ),
  },
]

const summary = (lines: readonly ImportLine[]) => {
  const faults = lines.filter(({ outcome }) => outcome === 'fault').length
  if (faults > 0)
    return `${faults === 1 ? 'One line has a fault' : `${faults} lines have faults`}; nothing can be imported.`
  const todo = lines.filter(({ outcome }) => outcome !== 'none').length
  return todo === 0 ? 'Everybody is as the file says already.' : 'This is what would happen.'
}

export function ImportLines({ lines }: { lines: readonly ImportLine[] }) {
  return (
    <>
      <Text role="status" fw={600}>
        {summary(lines)}
      </Text>
      <div className={classes.lines}>
        <DataTable
          label="Lines of the file"
          columns={columns}
          rows={lines}
          rowKey={({ line }) => String(line)}
          empty="The file contains no users."
        />
      </div>
    </>
  )
}
