import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './LogFilters.module.css'
import type { LogFilter } from './log-filter.ts'
import { choicesQuery } from './logs.ts'

interface LogFiltersProps {
  filter: LogFilter
  onChange: (change: Partial<LogFilter>) => void
}

const nothing: LogFilter = { person: undefined, action: undefined, from: undefined, until: undefined }

/** Filters by user, action and time, stored in the URL. */
export function LogFilters({ filter, onChange }: LogFiltersProps) {
  const choices = useQuery(choicesQuery)
  const actions = choices.data?.actions ?? (filter.action ? [filter.action] : [])
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <fieldset className={classes.filters}>
      <legend className="visually-hidden">Filter</legend>
      <UserFilter
        key={filter.person}
        user={filter.person}
        known={choices.data?.performers ?? []}
        onChoose={(user) => onChange({ person: user })}
      />
      <NativeSelect
        label="Action"
        data={[{ value: '', label: 'All actions' }, ...actions]}
        value={filter.action ?? ''}
        onChange={({ currentTarget }) => onChange({ action: currentTarget.value || undefined })}
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

/** Half an address matches no one, so the filter changes only when the address is complete: on choice, blur or Enter. */
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
