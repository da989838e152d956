import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AvailabilityKind, AvailabilitySpan } from '#contract/availability.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { causeWords } from '#contract/incident-words.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'

// In the time zone of the period.
const listColumns = (timeZone: string): Column<AvailabilitySpan>[] => [
  { key: 'from', header: 'From', widthPx: 240, cell: ({ from }) => formatExactTime(from, timeZone) },
  { key: 'until', header: 'Until', widthPx: 240, cell: ({ until }) => formatExactTime(until, timeZone) },
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

interface SpanTableProps {
  kind: AvailabilityKind
  spans: readonly AvailabilitySpan[]
  isCut: boolean
  timeZone: string
}

/** The time spans behind a figure. */
export function SpanTable({ kind, spans, isCut, timeZone }: SpanTableProps) {
  return (
    <div>
      <Text component="h2" size="lg" fw={600} mb={8}>
        {titles[kind]}
      </Text>
      <DataTable
        label={titles[kind]}
        columns={listColumns(timeZone)}
        rows={spans}
        rowKey={({ kit, from }) => `${kit} ${from.getTime()}`}
        empty="There were none in this period."
      />
      {isCut && <Text c="var(--quiet)">Only the newest {formatCount(spans.length)} are listed.</Text>}
    </div>
  )
}
