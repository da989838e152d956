import { describeForecast } from '#contract/forecast-words.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatTarget } from '#contract/format/numbers.ts'
import { formatDay } from '#contract/format/times.ts'
import { formatExactGb, formatWholeGb } from '#contract/format/units.ts'
import { formatAvailability } from '#contract/report-words.ts'
import type { Report, ReportLine, ReportPool, ReportTerminal } from '#contract/reports.ts'
import type { Column } from '../../ui/data-table.ts'
import classes from './ReportView.module.css'

const formatLongest = ({ outages, longestS }: Pick<ReportTerminal, 'outages' | 'longestS'>) =>
  outages === 0 ? '-' : formatLength(longestS)

const Availability = ({ percent, isBreached }: { percent: number | null; isBreached: boolean }) => (
  <span className={isBreached ? classes.breach : undefined}>
    {isBreached && 'below target '}
    {formatAvailability(percent)}
  </span>
)

const number = { align: 'right', widthPx: 124 } as const

const figureColumns: Column<Pick<ReportTerminal, 'percent' | 'isBreached' | 'downS' | 'outages' | 'longestS'>>[] = [
  { key: 'availability', header: 'Availability', ...number, widthPx: 190, cell: (row) => <Availability {...row} /> },
  { key: 'down', header: 'Down', ...number, cell: ({ downS }) => formatLength(downS) },
  { key: 'outages', header: 'Outages', ...number, widthPx: 100, cell: ({ outages }) => formatCount(outages) },
  { key: 'longest', header: 'Longest', ...number, cell: formatLongest },
]

export const terminalColumns: Column<ReportTerminal>[] = [
  { key: 'name', header: 'Terminal', widthPx: 220, cell: ({ name }) => name },
  ...figureColumns,
  { key: 'planned', header: 'Planned', ...number, cell: ({ plannedS }) => formatLength(plannedS) },
  { key: 'unknown', header: 'Not observed', ...number, cell: ({ notObservedS }) => formatLength(notObservedS) },
  {
    key: 'data',
    header: 'Data',
    ...number,
    widthPx: 160,
    cell: ({ usedGb }) => (usedGb === null ? '-' : formatExactGb(usedGb)),
  },
]

export const groupColumns: Column<Report['groups'][number]>[] = [
  { key: 'group', header: 'Group', widthPx: 240, cell: ({ group }) => group },
  { key: 'terminals', header: 'Terminals', ...number, cell: ({ terminals }) => formatCount(terminals) },
  ...figureColumns,
  {
    key: 'target',
    header: 'Target',
    ...number,
    cell: ({ target }) => (target === null ? '-' : formatTarget(target)),
  },
]

export const lineColumns: Column<ReportLine>[] = [
  { key: 'name', header: 'Terminal', widthPx: 240, cell: ({ name }) => name },
  { key: 'used', header: 'In the period', ...number, widthPx: 160, cell: ({ usedGb }) => formatExactGb(usedGb) },
  {
    key: 'cycle',
    header: 'In the cycle',
    ...number,
    widthPx: 250,
    cell: ({ cycleUsedGb, limitGb }) => {
      if (cycleUsedGb === null) return '-'
      return limitGb === null
        ? formatWholeGb(cycleUsedGb)
        : `${formatWholeGb(cycleUsedGb)} of ${formatWholeGb(limitGb)}`
    },
  },
  { key: 'forecast', header: 'Forecast', widthPx: 340, cell: ({ forecast }) => describeForecast(forecast).text },
]

export const poolColumns: Column<ReportPool>[] = [
  { key: 'name', header: 'Pool', widthPx: 240, cell: ({ name }) => name },
  {
    key: 'used',
    header: 'Used',
    ...number,
    widthPx: 250,
    cell: ({ usedGb, limitGb }) => `${formatWholeGb(usedGb)} of ${formatWholeGb(limitGb)}`,
  },
  { key: 'end', header: 'Cycle ends', ...number, cell: ({ cycleEnd }) => formatDay(cycleEnd) },
  { key: 'forecast', header: 'Forecast', widthPx: 340, cell: ({ forecast }) => describeForecast(forecast).text },
]
