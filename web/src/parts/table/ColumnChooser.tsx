import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import { DownIcon, UpIcon } from '../../ui/icons.tsx'
import classes from './ColumnChooser.module.css'
import { type ColumnChoice, moveColumn, orderColumns, readChoice, toggleColumn } from './chosen-columns.ts'

interface ColumnChooserProps {
  columns: readonly { key: string; header: string }[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

const staysFirst = 'This column is always shown, and always the first.'

/** Selects the visible columns and their order. */
export function ColumnChooser({ columns, choice, onChoose }: ColumnChooserProps) {
  const ordered = orderColumns(columns, choice)
  return (
    <Popover position="bottom-end" width={320} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default">Columns</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ul className={classes.columns}>
          {ordered.map(({ key, header }, place) => (
            <li key={key} className={classes.column}>
              <Checkbox
                className={classes.label}
                label={header}
                checked={place === 0 || !choice.hidden.includes(key)}
                disabled={place === 0}
                title={place === 0 ? staysFirst : undefined}
                onChange={() => onChoose(toggleColumn(choice, key))}
              />
              <ActionIcon
                variant="subtle"
                size={28}
                aria-label={`Move ${header} up`}
                disabled={place < 2}
                title={place === 0 ? staysFirst : place === 1 ? 'No column comes before the first.' : undefined}
                onClick={() => onChoose(moveColumn(columns, choice, key, -1))}
              >
                <UpIcon />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                size={28}
                aria-label={`Move ${header} down`}
                disabled={place === 0 || place === ordered.length - 1}
                title={place === 0 ? staysFirst : place === ordered.length - 1 ? 'This is the last column.' : undefined}
                onClick={() => onChoose(moveColumn(columns, choice, key, 1))}
              >
                <DownIcon />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <Button variant="subtle" size="compact-sm" onClick={() => onChoose(readChoice(null))}>
          Reset
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
