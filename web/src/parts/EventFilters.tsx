import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from './EventFilters.module.css'
import type { EventFilter } from './event-filter.ts'

interface EventFiltersProps {
  filter: EventFilter
  /** The label for kinds, such as 'Action'; and the kinds to choose from. */
  kindLabel: string
  allKinds: string
  kinds: (string | { value: string; label: string })[]
  knownUsers: string[]
  onChange: (change: Partial<EventFilter>) => void
}

const nothing: EventFilter = { person: undefined, kind: undefined, from: undefined, until: undefined }

/** Filters of a log by user, kind and time, stored in the URL. */
export function EventFilters({ filter, kindLabel, allKinds, kinds, knownUsers, onChange }: EventFiltersProps) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <fieldset className={classes.filters}>
      <legend className="visually-hidden">Filter</legend>
      <UserFilter
        key={filter.person}
        user={filter.person}
        known={knownUsers}
        onChoose={(user) => onChange({ person: user })}
      />
      <NativeSelect
        label={kindLabel}
        data={[{ value: '', label: allKinds }, ...kinds]}
        value={filter.kind ?? ''}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value || undefined })}
      />
      <TextInput
        label="From"
        type="datetime-local"
        value={filter.from ?? ''}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        label="Until"
        type="datetime-local"
        value={filter.until ?? ''}
        onChange={({ currentTarget }) => onChange({ until: currentTarget.value || undefined })}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => onChange(nothing)}>
          Clear
        </Button>
      )}
    </fieldset>
  )
}

interface UserFilterProps {
  user: string | undefined
  known: string[]
  onChoose: (user: string | undefined) => void
}

/**
 * A partial address matches nobody, so the filter changes only when the address is complete: on selection, blur or
 * Enter.
 */
function UserFilter({ user, known, onChoose }: UserFilterProps) {
  const [text, setText] = useState(user ?? '')
  const choose = (value: string) => {
    if (value.trim() !== (user ?? '')) onChoose(value.trim() || undefined)
  }
  return (
    <Autocomplete
      label="User"
      placeholder="Anyone"
      data={known}
      value={text}
      onChange={setText}
      onOptionSubmit={choose}
      onBlur={() => choose(text)}
      onKeyDown={({ key }) => key === 'Enter' && choose(text)}
      className={classes.user}
      limit={20}
    />
  )
}
