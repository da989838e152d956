import { TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import type { ShownStatus } from '../status.ts'
import { AlertMenu } from './AlertMenu.tsx'
import classes from './FleetToolbar.module.css'
import type { AlertCounts, FleetFilter } from './fleet-filter.ts'
import type { Freshness } from './freshness.ts'
import { LiveBadge } from './LiveBadge.tsx'
import { StatusChips } from './StatusChips.tsx'

const PastNotes = lazy(() =>
  importWithRetry(() => import('../past/PastNotes.tsx')).then((it) => ({ default: it.PastNotes })),
)
const SearchHints = lazy(() =>
  importWithRetry(() => import('./SearchHints.tsx')).then((it) => ({ default: it.SearchHints })),
)

interface FleetToolbarProps {
  filter: FleetFilter
  onFilter: (change: Partial<FleetFilter>) => void
  statuses: Record<ShownStatus, number> | undefined
  alerts: AlertCounts | undefined
  freshness: Freshness
  /** Reconnects at once. */
  onRetry: () => void
  /** Whether the live state is shown here rather than in the page header. */
  hasBadge?: boolean
  /** Next to the search. */
  viewSwitch?: ReactNode
  /** Buttons next to the search. */
  children: ReactNode
}

/** The toolbar of the dashboard and the table: filter badges, search and the live state. */
export function FleetToolbar(props: FleetToolbarProps) {
  const { filter, onFilter, statuses, alerts, freshness, onRetry, hasBadge = true, viewSwitch, children } = props
  const searchBox = useRef<HTMLInputElement>(null)
  // The content of the search box before it received the focus, while it has it.
  const [searchBefore, setSearchBefore] = useState<string>()
  const search = (text: string) => onFilter({ q: text || undefined })
  useHotkeys([['/', () => searchBox.current?.focus()]])
  return (
    <div className={classes.toolbar}>
      <div className={classes.filters}>
        <StatusChips counts={statuses} chosen={filter.status} onChoose={(status) => onFilter({ status })} />
        <AlertMenu
          counts={alerts}
          chosen={filter.alert}
          onChoose={(alert) => onFilter(alert === undefined ? { alert } : { alert, status: undefined })}
        />
      </div>
      <div className={classes.search}>
        <TextInput
          ref={searchBox}
          classNames={{ input: classes.searchInput }}
          type="search"
          aria-label="Search terminals"
          placeholder="Search terminals"
          leftSection={<SearchIcon />}
          value={filter.q ?? ''}
          onChange={({ currentTarget }) => search(currentTarget.value)}
          onFocus={() => setSearchBefore(filter.q ?? '')}
          onBlur={() => setSearchBefore(undefined)}
        />
        {searchBefore !== undefined && (
          <Suspense>
            <SearchHints box={searchBox} before={searchBefore} search={filter.q ?? ''} onSearch={search} />
          </Suspense>
        )}
      </div>
      {viewSwitch}
      <div className={classes.actions}>{children}</div>
      {hasBadge && <LiveBadge freshness={freshness} onRetry={onRetry} />}
      {freshness.state === 'past' && freshness.past && (
        <Suspense>
          <PastNotes past={freshness.past} />
        </Suspense>
      )}
    </div>
  )
}
