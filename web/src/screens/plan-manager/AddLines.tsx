import { Button, Checkbox, Group, Popover, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import type { PoolLine } from '#contract/plans.ts'
import { getErrorMessage } from '../../api.ts'
import { createRowSearch } from '../../ui/row-search.ts'
import classes from './PoolEditor.module.css'
import type { FormLine } from './pool-form.ts'
import { availableLinesQuery, listLineNames } from './pools.ts'

interface AddLinesProps {
  /** The lines already in the form, which cannot be added again. */
  lines: readonly FormLine[]
  onAdd: (lines: PoolLine[]) => void
}

// Escape closes only the list, not the form behind it with its unsaved input.
const escapesAlone = { 'data-mantine-stop-propagation': 'true' }

// Thousands of options are too slow to render, and too many to read.
const maxShown = 200

export const formatLine = (line: PoolLine) => listLineNames(line).filter(Boolean).join(' - ')

const lineSearch = createRowSearch([{ search: listLineNames }])

export function AddLines({ lines, onAdd }: AddLinesProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" size="compact-md" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          + Add Service Lines
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Available service lines">
        <Choices
          lines={lines}
          onAdd={(chosen) => {
            onAdd(chosen)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Choices({ lines, onAdd }: AddLinesProps) {
  const available = useQuery(availableLinesQuery)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const assigned = new Set(lines.map(({ service_line }) => service_line))
  const all = available.data ?? []
  const found = lineSearch.find(all, text.trim())
  return (
    <div className={classes.choices}>
      <TextInput
        {...escapesAlone}
        type="search"
        aria-label="Search service lines"
        placeholder="Search service lines…"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label="Available service lines">
        <div className={classes.choiceList}>
          {found.slice(0, maxShown).map((line) => (
            <Checkbox
              {...escapesAlone}
              key={line.service_line}
              value={line.service_line}
              label={formatLine(line)}
              disabled={assigned.has(line.service_line)}
              title={assigned.has(line.service_line) ? 'It is in this pool already.' : undefined}
            />
          ))}
          {available.isError && <Text role="alert">{getErrorMessage(available.error)}</Text>}
          {available.isPending && <Text c="var(--quiet)">Loading…</Text>}
          {available.isSuccess && found.length === 0 && (
            <Text c="var(--quiet)">
              {all.length === 0 ? 'Every service line is in a pool.' : 'No service lines match.'}
            </Text>
          )}
          {found.length > maxShown && (
            <Text size="xs" c="var(--quiet)">
              {formatCount(found.length - maxShown)} more: search to find them.
            </Text>
          )}
        </div>
      </Checkbox.Group>
      <Group justify="flex-end">
        <Button
          {...escapesAlone}
          disabled={chosen.length === 0}
          title={chosen.length === 0 ? 'Select a service line first.' : undefined}
          onClick={() => onAdd(all.filter(({ service_line }) => chosen.includes(service_line)))}
        >
          Add Selected
        </Button>
      </Group>
    </div>
  )
}
