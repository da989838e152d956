import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AvailabilityKind, AvailabilitySpan, FleetSpan } from '#contract/availability.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { causeWords } from '#contract/incident-words.ts'
import { ColumnTime, exactTimeWidthPx } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { OpenLink } from './OpenLink.tsx'
import type { ListedSpans } from './queries.ts'

// In the time zone of the period.
const listColumns = <Each extends AvailabilitySpan>(timeZone: string): Column<Each>[] => [
  {
    key: 'from',
    header: 'From',
    widthPx: exactTimeWidthPx,
    cell: ({ from }) => <ColumnTime at={from}>{formatExactTime(from, timeZone)}</ColumnTime>,
  },
  {
    key: 'until',
    header: 'Until',
    widthPx: exactTimeWidthPx,
    cell: ({ until }) => <ColumnTime at={until}>{formatExactTime(until, timeZone)}</ColumnTime>,
  },
  {
    key: 'length',
    header: 'Length',
    widthPx: 120,
    align: 'right',
    cell: ({ from, until }) => formatLength((until.getTime() - from.getTime()) / 1000),
  },
  {
    key: 'why',
    header: 'Why',
    widthPx: 240,
    cell: ({ incident, window }) => {
      if (!incident) return window ?? '-'
      return (
        <Anchor renderRoot={(props) => <Link {...props} to="/incidents/$id" params={{ id: incident.id }} />}>
          {causeWords[incident.cause]}
        </Anchor>
      )
    },
  },
  { key: 'kit', header: 'Kit', widthPx: 180, cell: ({ kit }) => kit ?? '-' },
]

const titles: Record<AvailabilityKind, string> = {
  up: 'Times in which it worked',
  down: 'Times in which it was down',
  planned: 'Planned maintenance',
  'not observed': 'Times in which no data reached us',
}

const fleetTitles: Record<AvailabilityKind, string> = {
  ...titles,
  up: 'Times in which terminals worked',
  down: 'Times in which terminals were down',
}

interface SpanTableProps {
  listed: ListedSpans
  spans: readonly AvailabilitySpan[]
  isCut: boolean
  timeZone: string
}

/** The time spans behind a figure of a line. */
export function SpanTable(props: SpanTableProps) {
  return <Spans {...props} title={titles[props.listed.kind]} columns={listColumns(props.timeZone)} />
}

interface FleetSpanTableProps extends Omit<SpanTableProps, 'spans'> {
  /** Undefined while loading. */
  spans: readonly FleetSpan[] | undefined
  onOpen: (nickname: string) => void
}

/** The time spans behind a figure of many lines. */
export function FleetSpanTable({ onOpen, ...props }: FleetSpanTableProps) {
  const nameColumn: Column<FleetSpan> = {
    key: 'name',
    header: 'Terminal',
    widthPx: 240,
    cell: ({ name, nickname }) => <OpenLink name={name} onOpen={() => onOpen(nickname)} />,
  }
  return (
    <Spans {...props} title={fleetTitles[props.listed.kind]} columns={[nameColumn, ...listColumns(props.timeZone)]} />
  )
}

interface SpansProps<Each> extends Omit<SpanTableProps, 'spans' | 'timeZone'> {
  title: string
  columns: Column<Each>[]
  spans: readonly Each[] | undefined
}

function Spans<Each extends AvailabilitySpan>({ title, columns, listed, spans, isCut }: SpansProps<Each>) {
  return (
    <div>
      <Text component="h2" size="lg" fw={600} mb={8}>
        {title}
        {listed.order === 'longest' && ', the longest first'}
      </Text>
      <DataTable
        label={title}
        columns={columns}
        rows={spans}
        rowKey={({ kit, from }) => `${kit} ${from.getTime()}`}
        empty="There were none in this period."
      />
      {isCut && spans && (
        <Text c="var(--quiet)">
          Only the {listed.order} {formatCount(spans.length)} are listed.
        </Text>
      )}
    </div>
  )
}
