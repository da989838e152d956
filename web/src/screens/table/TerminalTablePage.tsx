import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { CsvButton } from '../../parts/csv/CsvButton.tsx'
import { saveCsv } from '../../parts/csv/save-csv.ts'
import { EmptyFleet, NoMatch } from '../../parts/fleet/EmptyFleet.tsx'
import { FleetToolbar } from '../../parts/fleet/FleetToolbar.tsx'
import { countAlerts, countByStatus, noFilter } from '../../parts/fleet/fleet-filter.ts'
import { isStale } from '../../parts/fleet/freshness.ts'
import { LiveBadge } from '../../parts/fleet/LiveBadge.tsx'
import { useLiveDetails } from '../../parts/fleet/use-live-fleet.ts'
import { useSearchTerms } from '../../parts/fleet/use-search-terms.ts'
import { ViewSwitch } from '../../parts/fleet/ViewSwitch.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { ColumnChooser } from '../../parts/table/ColumnChooser.tsx'
import { type ColumnChoice, formatColumns, listShownColumns, readColumns } from '../../parts/table/chosen-columns.ts'
import { useColumnChoice } from '../../parts/table/use-column-choice.ts'
import { useStableRows } from '../../parts/table/use-stable-rows.ts'
import { parseSort, toSortSearch } from '../../parts/table-search.ts'
import { ViewsMenu } from '../../parts/views/ViewsMenu.tsx'
import { pickState } from '../../parts/views/view-state.ts'
import { usePermissions } from '../../permissions.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { buildTableColumns } from './cells.tsx'
import { arrangeRows, defaultSort, type FleetColumn, fleetColumns, tableSearch } from './columns.ts'
import { RecentChange } from './RecentChange.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import classes from './TerminalTablePage.module.css'
import { useMetadataEdit } from './use-metadata-edit.ts'
import { useSelection } from './use-selection.ts'

const route = getRouteApi('/terminaltable')
const noRows: never[] = []
const getRowId = ({ id }: TerminalDetailsItem) => id

export function TerminalTablePage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const router = useRouter()
  const { details, freshness, retry } = useLiveDetails(tableSearch)
  const own = useColumnChoice('terminals')
  const choice = filter.columns === undefined ? own.choice : readColumns(fleetColumns, filter.columns)
  const columns = listShownColumns(fleetColumns, choice)
  const { metadata } = usePermissions('metadata')
  const editing = useMetadataEdit()
  const isNarrow = useIsNarrow()

  const all = details.data?.terminals ?? noRows
  const statuses = useMemo(() => countByStatus(all), [all])
  const alerts = useMemo(() => countAlerts(all), [all])
  const deferred = useDeferredValue(filter)
  const search = useSearchTerms(deferred.q, true)
  const matching = useMemo(
    () => arrangeRows(all, { ...deferred, ...search }, parseSort(deferred) ?? defaultSort),
    [all, deferred, search],
  )
  const { rows, over } = useStableRows(matching, getRowId, JSON.stringify(deferred))
  const show = (change: Partial<typeof filter>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const choose = (next: ColumnChoice) =>
    filter.columns === undefined
      ? own.choose(next)
      : void show({ columns: formatColumns(listShownColumns(fleetColumns, next)) })
  const selection = useSelection(all, rows ?? noRows)
  const open = ({ nickname }: TerminalDetailsItem) => {
    const { href } = router.buildLocation({ to: '/terminal/$kitnumber', params: { kitnumber: nickname } })
    window.open(href, '_blank', 'noopener')
  }

  return (
    <div className={classes.page} data-stale={isStale(freshness) || undefined}>
      <h1 className="visually-hidden">Terminal Table</h1>
      <FleetToolbar
        filter={filter}
        onFilter={show}
        statuses={details.data && statuses}
        alerts={details.data && alerts}
        freshness={freshness}
        onRetry={retry}
        hasBadge={isNarrow}
        viewSwitch={
          <ViewsMenu
            page="table"
            search={filter}
            getShown={() => pickState('table', { ...filter, columns: formatColumns(columns) })}
          />
        }
      >
        <ViewSwitch shown="table" />
        <CsvButton rows={rows ?? noRows} onSave={(shown) => download(columns, shown)} />
        <ColumnChooser columns={fleetColumns} choice={choice} onChoose={choose} />
      </FleetToolbar>
      <div className={classes.line}>
        <p role="status">{details.data && formatShownCount(rows?.length ?? 0, all.length)}</p>
        {!isNarrow && <LiveBadge freshness={freshness} onRetry={retry} />}
      </div>
      <RecentChange />
      <SelectionBar
        selection={selection}
        matching={rows ?? noRows}
        isPast={freshness.state === 'past'}
        onDownload={() =>
          download(
            columns,
            all.filter(({ id }) => selection.ids.has(id)),
          )
        }
      />
      {details.isError && (!details.data || details.data.asOfMs !== undefined) && (
        <QueryFailure what="The terminals could not be loaded." query={details} />
      )}
      {(details.data || !details.isError) && (
        <div {...over}>
          <DataTable
            label="Terminals"
            columns={buildTableColumns(
              columns,
              metadata === 'read_write' && freshness.state !== 'past' ? editing : undefined,
              selection,
            )}
            rows={details.data && rows}
            rowKey={getRowId}
            empty={all.length === 0 ? <EmptyFleet /> : <NoMatch onClear={() => show(noFilter)} />}
            sort={parseSort(filter) ?? defaultSort}
            onSort={(sort) => {
              editing.cancel()
              show(toSortSearch(sort))
            }}
            onOpen={open}
            rowHeightPx={36}
            changedAtMs={({ id }) => details.data?.changedAtMs.get(id)}
          />
        </div>
      )}
    </div>
  )
}

const formatShownCount = (shown: number, all: number) =>
  shown === all ? formatCounted(all, 'terminal') : `${formatCount(shown)} of ${formatCounted(all, 'terminal')}`

function download(columns: readonly FleetColumn[], rows: readonly TerminalDetailsItem[]) {
  const cells = columns.map(({ header, align, value, text }) => ({
    header,
    // Numbers without units, so that a spreadsheet can calculate with them.
    value: (row: TerminalDetailsItem) => (align === 'right' ? value(row) : value(row) === null ? '' : text(row)),
  }))
  saveCsv(cells, rows, 'terminal-table.csv')
}
