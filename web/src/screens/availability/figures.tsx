import { type AvailabilityKind, type Figures, isMostlyObserved } from '#contract/availability.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatPercent, formatPercentDown } from '#contract/format/numbers.ts'
import classes from './AvailabilityPage.module.css'
import type { ListedSpans } from './queries.ts'

export const formatAvailability = (percent: number | null) => (percent === null ? '-' : formatPercentDown(percent, 3))

export const formatSeconds = (seconds: number | null) => (seconds === null ? '-' : formatLength(seconds))

interface Figure {
  label: string
  value: string
  /** Its share of the period. */
  share?: string
  /** The spans that it is made of. */
  spans: ListedSpans
}

const describeShares = (figures: Figures): Figure[] => {
  const { upS, downS, plannedS, notObservedS } = figures
  const wholeS = upS + downS + plannedS + notObservedS
  const describe = (label: string, kind: AvailabilityKind, seconds: number): Figure => ({
    label,
    value: formatSeconds(seconds),
    spans: { kind, order: 'newest' },
    share: formatPercent(wholeS === 0 ? 0 : (100 * seconds) / wholeS, 2),
  })
  return [
    describe('Up', 'up', upS),
    describe('Down', 'down', downS),
    describe('Planned', 'planned', plannedS),
    describe('Not observed', 'not observed', notObservedS),
  ]
}

/** Says how little was observed where that is less than half. */
const describeBasis = ({ percent, upS, downS, plannedS, notObservedS }: Figures) => {
  const wholeS = upS + downS + plannedS + notObservedS
  const observedPercent = wholeS === 0 ? null : (100 * (wholeS - notObservedS)) / wholeS
  if (percent === null || observedPercent === null || isMostlyObserved(observedPercent)) return {}
  return { share: `of the ${formatPercent(observedPercent, 2)} observed` }
}

const describeFigures = (figures: Figures): Figure[] => {
  const { percent, outages, longestS, meanRepairS, meanBetweenS } = figures
  const down: ListedSpans = { kind: 'down', order: 'newest' }
  return [
    { label: 'Availability', value: formatAvailability(percent), spans: down, ...describeBasis(figures) },
    ...describeShares(figures),
    { label: 'Outages', value: formatCount(outages), spans: down },
    {
      label: 'Longest',
      value: outages === 0 ? '-' : formatSeconds(longestS),
      spans: { kind: 'down', order: 'longest' },
    },
    { label: 'MTTR', value: formatSeconds(meanRepairS), spans: down },
    { label: 'MTBF', value: formatSeconds(meanBetweenS), spans: { kind: 'up', order: 'newest' } },
  ]
}

interface FigureListProps {
  figures: Figures
  /** The spans that are listed below, if any. */
  shown: ListedSpans | undefined
  onShow: (spans: ListedSpans) => void
}

/** The figures of a period. Each opens the spans that it is made of. */
export function FigureList({ figures, shown, onShow }: FigureListProps) {
  return (
    <dl className={classes.figures}>
      {describeFigures(figures).map(({ label, value, share, spans }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={label === 'Availability' ? classes.large : undefined}>
            <button
              type="button"
              aria-label={`${label}: ${value}`}
              aria-pressed={spans.kind === shown?.kind && spans.order === shown.order}
              className={classes.open}
              onClick={() => onShow(spans)}
            >
              {value}
            </button>
            {share !== undefined && <span className={classes.share}>{share}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
