import { Button, Checkbox, Group, Radio, Text, TextInput } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import { profile } from '#contract/profile.ts'
import { call, getErrorMessage } from '../../api.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import { notice } from '../../ui/notice.ts'
import { useFixedHeightRows } from '../../ui/use-fixed-height-rows.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { profileQuery } from './profile.ts'
import { type Choice, cutName, findChoices, getDisplayName } from './terminal-names.ts'

const updated = 'Successfully updated the terminal list for notification.'
const searchFrom = 12
const rowPx = 40
const columnPx = 250

interface TerminalChoiceProps {
  choices: readonly Choice[]
  chosen: ReadonlySet<string>
  isSaved: boolean
  onChoose: (chosen: ReadonlySet<string>) => void
}

export function TerminalChoice({ choices, chosen, isSaved, onChoose }: TerminalChoiceProps) {
  const queries = useQueryClient()
  const [search, setSearch] = useState('')
  const deferred = useDeferredValue(search)
  const shown = useMemo(() => findChoices(choices, deferred), [choices, deferred])
  const save = useMutation({
    mutationFn: () => call(profile.selectTerminals, { selectedTerminalList: [...chosen] }),
    onSuccess: async () => {
      notice.success(updated)
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    },
    onError: (error) => notice.error(getErrorMessage(error)),
  })
  const toggle = (id: string, checked: boolean) => {
    const next = new Set(chosen)
    if (checked) next.add(id)
    else next.delete(id)
    onChoose(next)
  }
  const isAll = choices.length > 0 && choices.every(({ id }) => chosen.has(id))
  return (
    <Card title="Terminals for notification" wide>
      <Group justify="space-between" gap="sm">
        <Radio.Group
          aria-label="All terminals or none"
          value={isAll ? 'all' : chosen.size === 0 ? 'none' : ''}
          onChange={(value) => onChoose(new Set(value === 'all' ? choices.map(({ id }) => id) : []))}
        >
          <Group gap="md">
            <Radio value="all" label="Select All" />
            <Radio value="none" label="Deselect All" />
          </Group>
        </Radio.Group>
        <Text className={classes.quiet} role="status">
          {formatCount(chosen.size)} of {formatCount(choices.length)} selected
        </Text>
      </Group>
      {choices.length > searchFrom && (
        <TextInput
          className={classes.input}
          type="search"
          aria-label="Search terminals"
          placeholder="Search terminals"
          leftSection={<SearchIcon />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {/* On a phone the button stays in view above the list, and never covers the content before it. */}
      <div className={classes.confirmed}>
        <ChoiceGrid shown={shown} chosen={chosen} onToggle={toggle} />
        <Group gap="sm" className={classes.confirm}>
          <Button variant="default" h="var(--touch)" onClick={() => save.mutate()} loading={save.isPending}>
            Confirm
          </Button>
          {!isSaved && <Text className={classes.quiet}>Your choice is not saved yet.</Text>}
        </Group>
      </div>
    </Card>
  )
}

interface ChoiceGridProps {
  shown: readonly Choice[]
  chosen: ReadonlySet<string>
  onToggle: (id: string, checked: boolean) => void
}

/** Renders only the rows in view, because fleets can be large. */
function ChoiceGrid({ shown, chosen, onToggle }: ChoiceGridProps) {
  const { ref, width } = useElementSize()
  const columns = Math.max(1, Math.floor(width / columnPx))
  const rowCount = Math.ceil(shown.length / columns)
  const { scroller, indexes } = useFixedHeightRows<HTMLFieldSetElement>(rowCount, rowPx)
  if (shown.length === 0) return <Text className={classes.quiet}>No terminals match.</Text>
  return (
    <fieldset ref={scroller} className={classes.choices} aria-label="Terminals">
      <div ref={ref} style={{ position: 'relative', height: rowCount * rowPx }}>
        {indexes.map((index) => (
          <div
            key={index}
            className={classes.choiceRow}
            style={{ top: index * rowPx, height: rowPx, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {shown.slice(index * columns, (index + 1) * columns).map((choice) => (
              <div key={choice.id} className={classes.choice} title={getDisplayName(choice)}>
                <Checkbox
                  label={cutName(getDisplayName(choice))}
                  checked={chosen.has(choice.id)}
                  onChange={({ currentTarget }) => onToggle(choice.id, currentTarget.checked)}
                />
              </div>
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}
