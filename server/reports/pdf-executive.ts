import { StyleSheet, View } from '@react-pdf/renderer'
import { createElement as h } from 'react'
import type { ExecutiveMonths } from '#contract/executive.ts'
import {
  byCustomer,
  byOrganization,
  findPartStart,
  listMoves,
  type MonthTotal,
  sumMonths,
} from '#contract/executive-sums.ts'
import { describeForecast, formatOdds } from '#contract/forecast-words.ts'
import { formatChange, formatCount, formatCounted, formatPercentDown, formatUsd } from '#contract/format/numbers.ts'
import { formatDay, formatYearAndMonth } from '#contract/format/times.ts'
import { formatGb, formatWholeGb } from '#contract/format/units.ts'
import type { PoolAtRisk } from '#contract/pools-at-risk.ts'
import { formatAvailability } from '#contract/report-words.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import { loadFonts, replaceUnknownLetters } from './pdf-fonts.ts'
import { renderFramed } from './pdf-frame.ts'
import { Card, type PdfColumn, Section, Table } from './pdf-parts.ts'

export interface ExecutiveDocument {
  brand: MailBrand
  logo: Uint8Array | undefined
  /** The lines that it covers. */
  scope: string
  months: ExecutiveMonths
  availability: { percent: number | null; observedPercent: number | null }
  pools: PoolAtRisk[]
  madeAt: Date
  timeZone: string
}

const MAX_ROWS = 40
const MAX_MOVES = 5

const styles = StyleSheet.create({ cards: { flexDirection: 'row', gap: 8, marginTop: 18 } })

interface MonthRow {
  month: string
  firstDay: string | null
  dataGb: number
  priceUsd: number
  lines: number
}

const hidden = ({ firstDay }: MonthRow, text: string) => (firstDay === null ? '-' : text)

/** Of a month that is not known from its beginning, from when the data is. */
export const describeMonth = ({ month, firstDay }: Pick<MonthRow, 'month' | 'firstDay'>) => {
  const start = findPartStart(firstDay)
  return `${formatYearAndMonth(month)}${start ? `, data since ${formatDay(start)}` : ''}`
}

const monthColumns: PdfColumn<MonthRow>[] = [
  { header: 'Month', flex: 2, value: describeMonth },
  { header: 'Lines', flex: 1, align: 'right', value: (row) => hidden(row, formatCount(row.lines)) },
  { header: 'Data', flex: 1, align: 'right', value: (row) => hidden(row, formatGb(row.dataGb)) },
  { header: 'Est. spend', flex: 1, align: 'right', value: (row) => hidden(row, formatUsd(row.priceUsd)) },
]

const totalColumns: PdfColumn<MonthTotal>[] = [
  { header: 'Name', flex: 3, value: ({ name }) => name },
  { header: 'Lines', flex: 1, align: 'right', value: ({ lines }) => formatCount(lines.at(-1) ?? 0) },
  { header: 'Data', flex: 1, align: 'right', value: ({ dataGb }) => formatGb(dataGb.at(-1) ?? 0) },
  { header: 'Est. spend', flex: 1, align: 'right', value: ({ priceUsd }) => formatUsd(priceUsd.at(-1) ?? 0) },
]

const moveColumns: PdfColumn<MonthTotal>[] = [
  { header: 'Customer', flex: 3, value: ({ name }) => name },
  { header: 'Month before', flex: 1, align: 'right', value: ({ beforeGb }) => formatGb(beforeGb) },
  { header: 'This month', flex: 1, align: 'right', value: ({ comparedGb }) => formatGb(comparedGb) },
  {
    header: 'Change',
    flex: 1,
    align: 'right',
    value: ({ comparedGb, beforeGb }) => (beforeGb > 0 ? formatChange(comparedGb / beforeGb - 1) : '-'),
  },
]

const poolColumns: PdfColumn<PoolAtRisk>[] = [
  { header: 'Pool', flex: 3, value: ({ name }) => name },
  { header: 'Forecast', flex: 4, value: ({ forecast }) => describeForecast(forecast).text },
  {
    header: 'Odds',
    flex: 1,
    align: 'right',
    value: ({ forecast }) => (forecast.reached ? '-' : formatOdds(forecast.probability)),
  },
]

const listTotals = (title: string, totals: readonly MonthTotal[]) =>
  h(
    Section,
    {
      key: title,
      title,
      ...(totals.length > MAX_ROWS && { note: `The first ${MAX_ROWS} of ${formatCount(totals.length)}.` }),
    },
    h(Table<MonthTotal>, { columns: totalColumns, rows: totals.slice(0, MAX_ROWS) }),
  )

/** Whether anything is stored about the usage of the month. */
const isKnown = ({ plans, firstDays }: ExecutiveMonths) => plans.length > 0 && firstDays.at(-1) != null

/** The largest figures. */
export const listCards = ({ months, availability }: Pick<ExecutiveDocument, 'months' | 'availability'>) => {
  const { percent, observedPercent } = availability
  const { plans, comparedDays } = months
  const [total] = isKnown(months) ? sumMonths(plans, () => 'All') : []
  const unpriced = total?.unpricedLines.at(-1) ?? 0
  const format = (values: readonly number[] | undefined, formatOne: (value: number) => string) => {
    const value = values?.at(-1)
    return value === undefined ? '-' : formatOne(value)
  }
  const note = (text: string) => (total ? text : 'Nothing is stored')
  return [
    {
      label: 'Data',
      value: format(total?.dataGb, formatWholeGb),
      note:
        total && total.beforeGb > 0
          ? `${formatChange(total.comparedGb / total.beforeGb - 1)} in ${formatCounted(comparedDays, 'day')}`
          : note('Nothing to compare with'),
    },
    {
      label: 'Est. spend',
      value: format(total?.priceUsd, formatUsd),
      note: note(unpriced > 0 ? `${formatCounted(unpriced, 'line')} without a price` : 'All lines have a price'),
    },
    { label: 'Lines', value: format(total?.lines, formatCount), note: note(formatCounted(plans.length, 'plan')) },
    {
      label: 'Availability',
      note:
        percent === null && observedPercent !== null
          ? `${formatPercentDown(observedPercent, 1)} was observed`
          : 'Of all terminals',
      value: percent === null ? '-' : formatAvailability(percent),
    },
  ]
}

/** The executive view of a month as a PDF. */
export const renderExecutive = async ({ logo, ...given }: ExecutiveDocument): Promise<Uint8Array> => {
  await loadFonts()
  const { brand, scope, months, pools, madeAt, timeZone } = replaceUnknownLetters(given)
  const { plans, month, running, comparedDays } = months
  const [total] = sumMonths(plans, () => 'All')
  const customers = byCustomer(plans)
  const moves = comparedDays > 0 && months.firstDays.at(-2) != null ? listMoves(customers, MAX_MOVES) : []
  const rows = months.months.map((each, at) => ({
    month: each,
    firstDay: months.firstDays[at] ?? null,
    dataGb: total?.dataGb[at] ?? 0,
    priceUsd: total?.priceUsd[at] ?? 0,
    lines: total?.lines[at] ?? 0,
  }))
  return renderFramed(
    {
      brand,
      logo,
      madeAt,
      timeZone,
      name: 'Executive summary',
      about: formatYearAndMonth(month),
      title: `${formatYearAndMonth(month)}${month === running ? ' so far' : ''}`,
      subtitle: scope,
    },
    [
      h(
        View,
        { key: 'cards', style: styles.cards },
        ...listCards({ months, availability: given.availability }).map((card) => h(Card, { key: card.label, ...card })),
      ),
      h(Section, { key: 'months', title: 'By month' }, h(Table<MonthRow>, { columns: monthColumns, rows })),
      isKnown(months) && listTotals('By customer', customers),
      isKnown(months) && listTotals('By organization', byOrganization(plans)),
      moves.length > 0 &&
        h(
          Section,
          {
            key: 'moves',
            title: 'What moved most',
            note: `The first ${formatCounted(comparedDays, 'day')} of the month against those of the month before.`,
          },
          h(Table<MonthTotal>, { columns: moveColumns, rows: moves }),
        ),
      pools.length > 0 &&
        h(
          Section,
          { key: 'pools', title: 'Pools at risk', note: 'Forecasts of the day on which this was made.' },
          h(Table<PoolAtRisk>, { columns: poolColumns, rows: pools.slice(0, MAX_ROWS) }),
        ),
      h(Section, {
        key: 'about',
        title: 'About these figures',
        note: 'Data is counted in the vendor’s UTC days. Spend is estimated: each line with a billing cycle in the month at today’s price of its product, without top-ups. Lines count in the plan in which they are today.',
      }),
    ],
  )
}
