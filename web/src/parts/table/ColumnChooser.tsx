import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import { DownIcon, UpIcon } from '../../ui/icons.tsx'
import classes from './ColumnChooser.module.css'
import { type ColumnChoice, moveColumn, orderColumns, readChoice, toggleColumn } from './chosen-columns.ts'

interface ColumnChooserProps {
  columns: readonly { key: string; header: string }[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

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
                onChange={() => onChoose(toggleColumn(choice, key))}
              />
              <ActionIcon
                variant="subtle"
                size={28}
                aria-label={`Move ${header} up`}
                disabled={place < 2}
                onClick={() => onChoose(moveColumn(columns, choice, key, -1))}
              >
                <UpIcon />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                size={28}
                aria-label={`Move ${header} down`}
                disabled={place === 0 || place === ordered.length - 1}
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
