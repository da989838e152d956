import { Rect, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import { createElement as h, type ReactNode } from 'react'
import { formatLength } from '#contract/format/durations.ts'
import { formatDay } from '#contract/format/times.ts'
import type { Report } from '#contract/reports.ts'
import { FIGURE_FEATURES } from './pdf-fonts.ts'

export const colors = {
  ink: '#0f172a',
  quiet: '#475569',
  line: '#e2e8f0',
  ground: '#f8fafc',
  up: '#15803d',
  down: '#dc2626',
  planned: '#0369a1',
  unknown: '#cbd5e1',
}

const WIDTH = 512
const GAP = 8

const styles = StyleSheet.create({
  section: { marginTop: 22 },
  heading: { fontSize: 13, fontWeight: 600, marginBottom: 8 },
  note: { fontSize: 8, color: colors.quiet, marginTop: 5 },
  head: { flexDirection: 'row', gap: GAP, borderBottom: `1 solid ${colors.line}`, paddingBottom: 4 },
  row: { flexDirection: 'row', gap: GAP, borderBottom: `0.5 solid ${colors.line}`, paddingVertical: 2.5 },
  cell: { fontSize: 8.5, height: 12 },
  figure: { fontFeatureSettings: FIGURE_FEATURES },
  warning: { color: colors.down, fontWeight: 600 },
  headCell: { fontSize: 8, height: 12, color: colors.quiet },
  card: { flex: 1, border: `1 solid ${colors.line}`, borderRadius: 8, padding: 10, minHeight: 66 },
  cardLabel: { fontSize: 8, color: colors.quiet },
  cardValue: { fontWeight: 600, marginTop: 4, height: 24 },
  cardNote: { fontSize: 8, color: colors.quiet, marginTop: 3 },
  legend: { flexDirection: 'row', flexWrap: 'wrap', gap: 14, marginTop: 6 },
  legendItem: { flexDirection: 'row', alignItems: 'center', gap: 4 },
  dot: { width: 8, height: 8, borderRadius: 2 },
})

/** Keeps the heading on the same page as the first content under it. */
export const Section = ({ title, note, children }: { title: string; note?: string; children?: ReactNode }) =>
  h(
    View,
    { style: styles.section },
    h(Text, { style: styles.heading, minPresenceAhead: 60 }, title),
    children,
    note === undefined ? null : h(Text, { style: styles.note }, note),
  )

interface CardProps {
  label: string
  value: string
  note: string
  color?: string
}

/** A card is as wide as so many digits of its usual size. */
const CARD_DIGITS = 9
const CARD_FONT_SIZE = 19

export const Card = ({ label, value, note, color = colors.ink }: CardProps) =>
  h(
    View,
    { style: styles.card },
    h(Text, { style: styles.cardLabel }, label),
    h(
      Text,
      {
        style: [
          styles.cardValue,
          { color, fontSize: (CARD_FONT_SIZE * CARD_DIGITS) / Math.max(CARD_DIGITS, value.length) },
        ],
      },
      value,
    ),
    h(Text, { style: styles.cardNote }, note),
  )

export interface PdfColumn<Row> {
  header: string
  /** Its share of the width. */
  flex: number
  align?: 'right'
  value: (row: Row) => string
  /** Bold and red. */
  warns?: (row: Row) => boolean
}

/**
 * A table whose header is repeated on each page. Each cell has a fixed size, so that the library does not measure its
 * text several times.
 */
export const Table = <Row>({ columns, rows }: { columns: readonly PdfColumn<Row>[]; rows: readonly Row[] }) => {
  const shares = columns.reduce((sum, { flex }) => sum + flex, 0)
  const unit = (WIDTH - GAP * (columns.length - 1)) / shares
  const place = (flex: number, textAlign: 'left' | 'right' = 'left') => ({ width: flex * unit, textAlign })
  return h(
    View,
    {},
    h(
      View,
      { style: styles.head, fixed: true },
      ...columns.map(({ header, flex, align }) =>
        h(Text, { key: header, style: [styles.headCell, place(flex, align)] }, header),
      ),
    ),
    ...rows.map((row, index) =>
      h(
        View,
        { key: String(index), style: styles.row, wrap: false },
        ...columns.map(({ header, flex, align, value, warns }) =>
          h(
            Text,
            {
              key: header,
              style: [
                styles.cell,
                align === 'right' ? styles.figure : {},
                place(flex, align),
                warns?.(row) ? styles.warning : { color: colors.ink },
                { maxLines: 1, textOverflow: 'ellipsis' },
              ],
            },
            value(row),
          ),
        ),
      ),
    ),
  )
}

/** How the time of all terminals is divided. */
export const TimeBar = ({ availability: { upS, downS, plannedS, notObservedS } }: Pick<Report, 'availability'>) => {
  const parts = [
    { name: 'Up', seconds: upS, color: colors.up },
    { name: 'Down', seconds: downS, color: colors.down },
    { name: 'Planned', seconds: plannedS, color: colors.planned },
    { name: 'Not observed', seconds: notObservedS, color: colors.unknown },
  ]
  const total = parts.reduce((sum, { seconds }) => sum + seconds, 0) || 1
  let x = 0
  const bars = parts
    .filter(({ seconds }) => seconds > 0)
    .map(({ name, seconds, color }) => {
      // Stays visible, however short it was.
      const width = Math.max(1.5, (seconds / total) * WIDTH)
      const bar = h(Rect, { key: name, x, y: 0, width: Math.min(width, WIDTH - x), height: 10, fill: color })
      x += width
      return bar
    })
  return h(
    View,
    {},
    h(Svg, { width: WIDTH, height: 10 }, ...bars),
    h(
      View,
      { style: styles.legend },
      ...parts.map(({ name, seconds, color }) =>
        h(
          View,
          { key: name, style: styles.legendItem },
          h(View, { style: [styles.dot, { backgroundColor: color }] }),
          h(Text, { style: styles.cell }, `${name} ${formatLength(seconds)}`),
        ),
      ),
    ),
  )
}

const CHART_HEIGHT = 70

/** The usage per day, with labels for some days. */
export const DayChart = ({ days, color }: { days: Report['usage']['days']; color: string }) => {
  const most = Math.max(...days.map(({ gb }) => gb), 0.001)
  const step = WIDTH / days.length
  return h(
    View,
    {},
    h(
      Svg,
      { width: WIDTH, height: CHART_HEIGHT },
      ...days.map(({ day, gb }, index) => {
        const height = Math.max(0.5, (gb / most) * CHART_HEIGHT)
        const place = { x: index * step + step * 0.15, y: CHART_HEIGHT - height, width: step * 0.7, height }
        return h(Rect, { key: day, ...place, rx: 1.5, fill: color })
      }),
    ),
    h(
      View,
      { style: { flexDirection: 'row', justifyContent: 'space-between', marginTop: 3 } },
      ...[days[0], days.at(-1)].map((each, index) =>
        h(Text, { key: String(index), style: styles.headCell }, each ? formatDay(each.day) : ''),
      ),
    ),
  )
}
