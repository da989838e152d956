import type { AvailabilityKind, Figures } from '#contract/availability.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatPercent, formatPercentDown } from '#contract/format/numbers.ts'
import classes from './AvailabilityPage.module.css'

export const formatAvailability = (percent: number | null) => (percent === null ? '-' : formatPercentDown(percent, 3))

export const formatSeconds = (seconds: number | null) => (seconds === null ? '-' : formatLength(seconds))

const shares: { kind: AvailabilityKind; key: 'upS' | 'downS' | 'plannedS' | 'notObservedS'; label: string }[] = [
  { kind: 'up', key: 'upS', label: 'Up' },
  { kind: 'down', key: 'downS', label: 'Down' },
  { kind: 'planned', key: 'plannedS', label: 'Planned' },
  { kind: 'not observed', key: 'notObservedS', label: 'Not observed' },
]

interface FigureListProps {
  figures: Figures
  /** The kind of time whose spans are listed below. */
  shown?: AvailabilityKind
  onShow?: (kind: AvailabilityKind) => void
}

/** The figures of a period. With `onShow`, each kind of time opens its spans. */
export function FigureList({ figures, shown, onShow }: FigureListProps) {
  const { upS, downS, plannedS, notObservedS, percent, outages, longestS, meanRepairS, meanBetweenS } = figures
  const wholeS = upS + downS + plannedS + notObservedS
  const others: [string, string][] = [
    ['Outages', formatCount(outages)],
    ['Longest', outages === 0 ? '-' : formatSeconds(longestS)],
    ['MTTR', formatSeconds(meanRepairS)],
    ['MTBF', formatSeconds(meanBetweenS)],
  ]
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Availability</dt>
        <dd className={classes.large}>{formatAvailability(percent)}</dd>
      </div>
      {shares.map(({ kind, key, label }) => (
        <div key={kind}>
          <dt>{label}</dt>
          <dd>
            {onShow ? (
              <button type="button" aria-pressed={kind === shown} className={classes.open} onClick={() => onShow(kind)}>
                {formatSeconds(figures[key])}
              </button>
            ) : (
              formatSeconds(figures[key])
            )}
            <span className={classes.share}>{formatPercent(wholeS === 0 ? 0 : (100 * figures[key]) / wholeS, 2)}</span>
          </dd>
        </div>
      ))}
      {others.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
