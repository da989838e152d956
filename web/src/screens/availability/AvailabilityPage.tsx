import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type AvailabilityKind, availability } from '#contract/availability.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatDateTime, toLocalTime } from '#contract/format/times.ts'
import { aboutAvailability } from '#contract/report-words.ts'
import { getErrorMessage, request } from '../../api.ts'
import { OperationPlaces } from '../../parts/places/Places.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { useIsAdmin } from '../../session.ts'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import classes from './AvailabilityPage.module.css'
import type { AvailabilitySearch } from './availability-search.ts'
import { FigureList } from './figures.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'
import { type ListedSpans, spansQuery, summaryQuery, terminalQuery, toFilter } from './queries.ts'
import { FleetSpanTable, SpanTable } from './SpanTable.tsx'
import { GroupTable, TerminalTable } from './tables.tsx'

const route = getRouteApi('/availability')

/** Uptime in a calendar period: of everything, of a group or of one terminal. */
export function AvailabilityPage() {
  const search = route.useSearch()
  return search.terminal === undefined ? (
    <Summary search={search} />
  ) : (
    <OneTerminal terminal={search.terminal} search={search} />
  )
}

const useShow = () => {
  const navigate = route.useNavigate()
  return (change: Partial<AvailabilitySearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
}

const findListed = (kind: AvailabilityKind, { order }: AvailabilitySearch): ListedSpans => ({
  kind,
  order: order ?? 'newest',
})

const toSearch = (listed: ListedSpans | undefined) => ({
  kind: listed?.kind,
  order: listed?.order === 'longest' ? listed.order : undefined,
})

function Summary({ search }: { search: AvailabilitySearch }) {
  const show = useShow()
  const isAdmin = useIsAdmin()
  const { data, error, refetch } = useQuery({ ...summaryQuery(search), placeholderData: keepPreviousData })
  if (!data) return <NotYet error={error} refetch={() => void refetch()} />
  const { total, groups, terminals, terminalCount } = data
  const listed = search.kind && findListed(search.kind, search)
  const toggle = (chosen: ListedSpans) =>
    show(chosen.kind === listed?.kind && chosen.order === listed.order ? toSearch(undefined) : toSearch(chosen))
  return (
    <Frame
      title={search.group === undefined ? 'Availability' : `Availability of ${search.group}`}
      count={formatCounted(terminalCount, 'terminal')}
      search={search}
      shown={data}
      actions={
        <Button variant="default" onClick={() => void download(search)}>
          Download CSV
        </Button>
      }
    >
      {search.group !== undefined && (
        <nav aria-label="Availability">
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="." search={without(search, 'group')} />}>
            All groups
          </Anchor>
        </nav>
      )}
      {terminalCount === 0 ? (
        <Text c="var(--quiet)">There were no terminals whose availability could be measured.</Text>
      ) : (
        <>
          <FigureList figures={total} shown={listed} onShow={toggle} />
          {listed && <FleetSpans listed={listed} search={search} timeZone={data.timeZone} />}
          {search.group === undefined && (
            <GroupTable groups={groups} isAdmin={isAdmin} onOpen={(group) => show({ group })} />
          )}
          <TerminalTable
            terminals={terminals}
            isCut={terminalCount > terminals.length}
            onOpen={(terminal) => show({ terminal })}
          />
        </>
      )}
    </Frame>
  )
}

interface FleetSpansProps {
  listed: ListedSpans
  search: AvailabilitySearch
  timeZone: string
}

function FleetSpans({ listed, search, timeZone }: FleetSpansProps) {
  const show = useShow()
  const query = useQuery(spansQuery(listed.kind, search))
  if (query.isError && !query.data) return <QueryFailure what="The times could not be loaded." query={query} />
  return (
    <FleetSpanTable
      listed={listed}
      spans={query.data?.spans}
      isCut={query.data?.isCut ?? false}
      timeZone={timeZone}
      onOpen={(terminal) => show({ terminal })}
    />
  )
}

const without = (
  { period, day, lastDay, group }: AvailabilitySearch,
  left: 'group' | 'terminal',
): AvailabilitySearch => ({
  period,
  day,
  lastDay,
  group: left === 'group' ? undefined : group,
  terminal: undefined,
  kind: undefined,
  order: undefined,
})

function OneTerminal({ terminal, search }: { terminal: string; search: AvailabilitySearch }) {
  const show = useShow()
  const { data, error, refetch } = useQuery({ ...terminalQuery(terminal, search), placeholderData: keepPreviousData })
  if (!data) return <NotYet error={error} refetch={() => void refetch()} />
  const listed = findListed(search.kind ?? 'down', search)
  return (
    <Frame title={`Availability of ${data.name}`} search={search} shown={data}>
      <nav aria-label="Availability" className={classes.fields}>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="." search={without(search, 'terminal')} />}>
          All terminals
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/terminal/$kitnumber" params={{ kitnumber: terminal }} />}
        >
          Terminal page
        </Anchor>
      </nav>
      <FigureList figures={data.total} shown={listed} onShow={(chosen) => show(toSearch(chosen))} />
      <SpanTable listed={listed} spans={data.spans} isCut={data.isCut} timeZone={data.timeZone} />
    </Frame>
  )
}

interface FrameProps {
  title: string
  count?: string
  search: AvailabilitySearch
  shown: { timeZone: string; firstDay: string; lastDay: string; from: Date; until: Date; heldSince: Date | null }
  actions?: ReactNode
  children: ReactNode
}

function Frame({ title, count, search: { period = 'month' }, shown, actions, children }: FrameProps) {
  const show = useShow()
  const { timeZone, firstDay, lastDay, from, until, heldSince } = shown
  return (
    <TablePage
      places={<OperationPlaces />}
      title={title}
      count={count}
      subtitle={`${formatDateTime(from, timeZone)} to ${formatDateTime(until, timeZone)}`}
      filters={
        <PeriodPicker
          period={period}
          days={{ firstDay, lastDay }}
          today={toLocalTime(new Date(), timeZone).day}
          onChange={show}
        />
      }
      actions={actions}
    >
      {children}
      <p className={classes.about}>
        {aboutAvailability} MTTR is the mean time to repair, the time down for each outage; MTBF is the mean time
        between failures, the time up for each outage. Service lines without a terminal are not counted.{' '}
        {heldSince ? `Data is held since ${formatDateTime(heldSince, timeZone)}.` : 'There is no data yet.'}
      </p>
    </TablePage>
  )
}

function NotYet({ error, refetch }: { error: Error | null; refetch: () => void }) {
  if (error) return <QueryFailure isPage what="The availability could not be loaded." query={{ error, refetch }} />
  return <Waiting text="Loading availability..." retry={refetch} />
}

async function download(search: AvailabilitySearch) {
  try {
    const response = await request(availability.download, toFilter(search))
    saveFile(await response.blob(), 'availability.csv')
  } catch (error) {
    notice.error(`Error downloading CSV: ${getErrorMessage(error)}`)
  }
}
