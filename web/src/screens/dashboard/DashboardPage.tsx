import { SegmentedControl, TextInput } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { messageOf } from '../../api.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { useLiveFleet } from '../../parts/fleet/use-live-fleet.ts'
import { Failure } from '../../ui/Failure.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import classes from './DashboardPage.module.css'
import { FleetMap } from './FleetMap.tsx'
import { countByStatus, filterFleet } from './fleet-filter.ts'
import { LiveBadge } from './LiveBadge.tsx'
import { StatusChips } from './StatusChips.tsx'
import { ListSkeleton, TerminalList } from './TerminalList.tsx'

const route = getRouteApi('/signed-in/dashboard')
const noTerminals: never[] = []

export function DashboardPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const { fleet, feed } = useLiveFleet()
  const [highlightedId, setHighlightedId] = useState<string>()
  const [pickedId, setPickedId] = useState<string>()
  const [shown, setShown] = useState('list')
  const narrow = useMediaQuery('(max-width: 767px)', undefined, { getInitialValueInEffect: false })
  const searchBox = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => searchBox.current?.focus()]])
  useBrandTitle('Dashboard')

  const terminals = fleet.data?.terminals ?? noTerminals
  const counts = useMemo(() => countByStatus(terminals), [terminals])
  // Typing stays quick in a large fleet: the letters come first, the rows follow.
  const { status, q } = useDeferredValue(filter)
  const matching = useMemo(() => filterFleet(terminals, { status, q }), [terminals, status, q])
  const show = (change: Partial<typeof filter>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })

  return (
    <div className={classes.page}>
      <h1 className={classes.hidden}>Dashboard</h1>
      <div className={classes.toolbar}>
        <StatusChips counts={fleet.data && counts} chosen={filter.status} onChoose={(next) => show({ status: next })} />
        <TextInput
          ref={searchBox}
          className={classes.search}
          classNames={{ input: classes.searchInput }}
          type="search"
          aria-label="Search terminals"
          placeholder="Search terminals"
          leftSection={<SearchIcon />}
          value={filter.q ?? ''}
          onChange={({ currentTarget }) => show({ q: currentTarget.value || undefined })}
        />
        <LiveBadge feed={feed} />
      </div>
      {narrow && (
        <SegmentedControl
          fullWidth
          value={shown}
          onChange={setShown}
          data={[
            { value: 'list', label: 'List' },
            { value: 'map', label: 'Map' },
          ]}
        />
      )}
      <div className={classes.panes}>
        {(!narrow || shown === 'list') && (
          <div className={classes.list}>
            {fleet.isPending && <ListSkeleton />}
            {fleet.isError && !fleet.data && (
              <Failure
                what="The terminals could not be loaded."
                why={messageOf(fleet.error)}
                onRetry={() => void fleet.refetch()}
              />
            )}
            {fleet.data && (
              <TerminalList
                terminals={matching}
                changedAtMs={fleet.data.changedAtMs}
                empty={terminals.length === 0 ? 'No terminals yet.' : 'No terminals match.'}
                highlightedId={highlightedId}
                pickedId={pickedId}
                onHighlight={setHighlightedId}
              />
            )}
          </div>
        )}
        {(!narrow || shown === 'map') && (
          <div className={classes.map}>
            <FleetMap
              terminals={matching}
              highlightedId={highlightedId}
              onHighlight={setHighlightedId}
              onPick={(id) => {
                setShown('list')
                setPickedId(id)
                setHighlightedId(id)
              }}
            />
          </div>
        )}
      </div>
    </div>
  )
}
