import { Badge, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '#contract/format/numbers.ts'
import { AddLines } from './AddLines.tsx'
import classes from './PoolEditor.module.css'
import { addLines, type FormLine, type PoolForm, removeLine, restoreLine } from './pool-form.ts'

interface AssignedLinesProps {
  form: PoolForm
  onChange: (form: PoolForm) => void
}

export function AssignedLines({ form, onChange }: AssignedLinesProps) {
  const assignedCount = form.lines.filter(({ removed }) => !removed).length
  return (
    <section aria-label="Assigned Service Lines" className={classes.section}>
      <Group justify="space-between">
        <Text fw={600}>
          Assigned Service Lines <span className={classes.quiet}>{formatCount(assignedCount)}</span>
        </Text>
        <AddLines lines={form.lines} onAdd={(lines) => onChange(addLines(form, lines))} />
      </Group>
      {form.lines.length === 0 ? (
        <Text c="var(--quiet)">No service lines yet. Add those that share this limit.</Text>
      ) : (
        <ul className={classes.list} data-scrolls>
          {form.lines.map((line) => (
            <AssignedLine
              key={line.service_line}
              line={line}
              onRemove={() => onChange(removeLine(form, line.service_line))}
              onRestore={() => onChange(restoreLine(form, line.service_line))}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface AssignedLineProps {
  line: FormLine
  onRemove: () => void
  onRestore: () => void
}

function AssignedLine({ line, onRemove, onRestore }: AssignedLineProps) {
  const { service_line, nickname, kit_number, removed, is_new } = line
  const words = (
    <>
      <span className={classes.name}>{nickname ?? service_line}</span>
      <code className={classes.quiet}>
        {service_line}
        {kit_number ? ` · ${kit_number}` : ''}
      </code>
    </>
  )
  return (
    <li className={classes.item}>
      {removed ? (
        <s className={classes.line}>{words}</s>
      ) : (
        <Link
          to="/terminal/$kitnumber"
          params={{ kitnumber: nickname ?? service_line }}
          target="_blank"
          className={classes.line}
        >
          {words}
        </Link>
      )}
      {is_new && <Badge>New</Badge>}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.end}
        onClick={removed ? onRestore : onRemove}
        aria-label={`${removed ? 'Undo removing' : 'Remove'} ${nickname ?? service_line}`}
      >
        {removed ? 'Undo' : 'Remove'}
      </Button>
    </li>
  )
}
