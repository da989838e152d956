import { Autocomplete, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ChartLine } from '../../parts/charts/quantile.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { fleetQuery } from '../../parts/fleet/fleet-queries.ts'
import classes from './Performance.module.css'
import type { TerminalSearch } from './terminal-search.ts'
import { weekBefore } from './use-comparison.ts'

const lines: { value: ChartLine; label: string }[] = [
  { value: 'average', label: 'As measured' },
  { value: 'median', label: 'Median' },
  { value: 'p95', label: '95th percentile' },
]

const nothing = 'nothing'
const another = 'another'
const choices = [
  { value: nothing, label: 'Nothing' },
  { value: weekBefore, label: 'The week before' },
  { value: another, label: 'Another terminal' },
]

const MAX_NAMES = 30

interface ChartOptionsProps {
  search: Pick<TerminalSearch, 'line' | 'compare'>
  /** The page's own line, which is excluded from the comparison. */
  nickname: string
  problem: string | undefined
  onChange: (change: Pick<Partial<TerminalSearch>, 'line' | 'compare'>) => void
}

/** Selects the line of the charts and what to compare with. */
export function ChartOptions({ search, nickname, problem, onChange }: ChartOptionsProps) {
  const { line = 'average', compare } = search
  const [isAnother, setAnother] = useState(compare !== undefined && compare !== weekBefore)
  const chooseComparison = (choice: string) => {
    setAnother(choice === another)
    onChange({ compare: choice === weekBefore ? weekBefore : undefined })
  }
  return (
    <fieldset className={classes.options}>
      <legend className="visually-hidden">Chart Options</legend>
      <NativeSelect
        label="Line"
        data={lines}
        value={line}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as ChartLine
          onChange({ line: chosen === 'average' ? undefined : chosen })
        }}
      />
      <NativeSelect
        label="Compare with"
        data={choices}
        value={isAnother ? another : (compare ?? nothing)}
        error={isAnother ? undefined : problem}
        onChange={({ currentTarget }) => chooseComparison(currentTarget.value)}
      />
      {isAnother && (
        <OtherTerminal
          chosen={compare}
          nickname={nickname}
          problem={problem}
          onChoose={(other) => onChange({ compare: other })}
        />
      )}
    </fieldset>
  )
}

interface OtherTerminalProps {
  chosen: string | undefined
  nickname: string
  problem: string | undefined
  onChoose: (nickname: string | undefined) => void
}

/** Searches the terminals that the user may see by name. */
function OtherTerminal({ chosen, nickname, problem, onChoose }: OtherTerminalProps) {
  const { data: fleet } = useQuery(fleetQuery)
  const [typed, setTyped] = useState<string>()
  const names = useMemo(
    () =>
      new Map(
        fleet?.terminals
          .filter((terminal) => terminal.nickname !== nickname)
          .map((terminal) => [terminal.nickname, getDisplayName(terminal)]),
      ),
    [fleet, nickname],
  )
  const shown = typed ?? (chosen && (names.get(chosen) ?? chosen)) ?? ''
  const choose = (text: string) => {
    setTyped(text)
    const found = [...names].find(([, name]) => name === text)
    if (found || text === '') onChoose(found?.[0])
  }
  return (
    <Autocomplete
      label="Terminal"
      placeholder="Name"
      data={[...new Set(names.values())]}
      limit={MAX_NAMES}
      value={shown}
      error={problem}
      onChange={choose}
    />
  )
}
