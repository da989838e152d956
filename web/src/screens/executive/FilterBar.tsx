import { Badge, Button, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import { type ExecutiveSearch, noFilter, orNothing } from './executive-search.ts'
import classes from './FilterBar.module.css'
import { FilterPanel } from './FilterPanel.tsx'
import type { NamedPlan } from './plans.ts'

const debounceMs = 300

interface FilterBarProps {
  plans: readonly NamedPlan[]
  /** Undefined while loading. */
  results: number | undefined
  search: ExecutiveSearch
  onChange: (change: Partial<ExecutiveSearch>) => void
}

/** Search, filters and the number of matches. Stays in view while the plans scroll. */
export function FilterBar({ plans, results, search, onChange }: FilterBarProps) {
  const { q, org = [], customer = [] } = search
  const isFiltered = q !== undefined || org.length > 0 || customer.length > 0
  const without = (names: readonly string[], name: string) => orNothing(names.filter((each) => each !== name))
  return (
    <section className={classes.bar} aria-label="Filters">
      <div className={classes.controls}>
        <PlanSearch text={q ?? ''} onText={(text) => onChange({ q: text || undefined })} />
        <FilterPanel plans={plans} orgs={org} customers={customer} onApply={onChange} />
        <Badge size="lg" role="status" className={classes.results}>
          {results === undefined ? '…' : `${formatCount(results)} results`}
        </Badge>
      </div>
      {isFiltered && (
        <div className={classes.tokens}>
          {org.map((name) => (
            <Token key={name} kind="Org" name={name} onRemove={() => onChange({ org: without(org, name) })} />
          ))}
          {customer.map((name) => (
            <Token
              key={name}
              kind="Customer"
              name={name}
              onRemove={() => onChange({ customer: without(customer, name) })}
            />
          ))}
          {q !== undefined && <Token kind="Query" name={q} onRemove={() => onChange({ q: undefined })} />}
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(noFilter)}>
            Clear
          </Button>
        </div>
      )}
    </section>
  )
}

function PlanSearch({ text, onText }: { text: string; onText: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(text)
  const reportDebounced = useDebouncedCallback((latest: string) => onText(latest.trim()), debounceMs)
  // The URL may change without typing: by a token, by Clear, by the back button.
  useEffect(() => setTyped((before) => (before.trim() === text ? before : text)), [text])
  useHotkeys([['/', () => box.current?.focus()]])
  return (
    <TextInput
      ref={box}
      className={classes.search}
      type="search"
      aria-label="Search plans"
      placeholder="Search plans…"
      leftSection={<SearchIcon />}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        reportDebounced(value)
      }}
    />
  )
}

function Token({ kind, name, onRemove }: { kind: string; name: string; onRemove: () => void }) {
  return (
    <span className={classes.token}>
      <span>
        {kind}: <b>{name}</b>
      </span>
      <CloseButton size="sm" aria-label={`Remove ${kind} ${name}`} onClick={onRemove} />
    </span>
  )
}
