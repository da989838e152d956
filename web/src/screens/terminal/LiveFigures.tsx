import { formatAge, formatLength } from '#contract/format/durations.ts'
import { formatPercent } from '#contract/format/numbers.ts'
import { formatGb, formatLatency, formatLimit, formatSpeed, formatWholeGb } from '#contract/format/units.ts'
import type { MeasureName } from '#contract/measures.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { alongTimeline, layOutTime } from '../../parts/charts/timeline.ts'
import { LargeNumber } from '../../ui/LargeNumber.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'
import classes from './LiveFigures.module.css'
import { findDataLeft } from './usage.ts'

const formatFraction = (fraction: number) => formatPercent(fraction * 100, 1)

const live: { label: string; key: MeasureName; format: (value: number) => string }[] = [
  { label: 'Down', key: 'downlink', format: formatSpeed },
  { label: 'Up', key: 'uplink', format: formatSpeed },
  { label: 'Latency', key: 'latency', format: formatLatency },
  { label: 'Drop', key: 'pingdrop', format: formatFraction },
  { label: 'Signal', key: 'signal_quality', format: formatFraction },
]

/** Terminals report every 15 seconds. */
const NEWEST_MS = 180_000

/** Short enough for its column on a phone. */
const formatLeft = (gb: number) => (gb < 1000 ? formatGb(gb) : gb < 100_000 ? formatWholeGb(gb) : formatLimit(gb))

/** The terminal's current values, each with its history over the period of the charts. */
export function LiveFigures({ terminal, detail }: { terminal: TerminalData; detail: TerminalDetail }) {
  const endMs = detail.period.to.getTime()
  // A stored step contains what was measured until the next one.
  const newestMs = Math.max(NEWEST_MS, 2 * 1000 * (detail.past?.stepS ?? 0))
  const isNew = (at: Date | null) => at !== null && at.getTime() >= endMs - newestMs
  const { label: leftLabel, leftGb } = findDataLeft(detail)
  const { signals, stepS } = terminal
  const timeline = layOutTime(signals, stepS)
  const readCourse = (key: MeasureName) =>
    alongTimeline(
      timeline,
      signals.map((signal) => signal[key]),
      1,
    )
  return (
    <dl className={classes.figures}>
      {live.map(({ label, key, format }) => {
        const { last, lastAt } = terminal.extremes[key]
        const text = last === null ? '-' : format(last)
        return (
          <div key={key}>
            <dt>{label}</dt>
            {isNew(lastAt) ? (
              <dd>{splitUnit(text)}</dd>
            ) : (
              <dd title={lastAt && last !== null ? `${text}, ${formatAge(lastAt.getTime(), endMs)}` : undefined}>
                <LargeNumber>-</LargeNumber>
              </dd>
            )}
            <Sparkline className={classes.course} values={readCourse(key)} />
          </div>
        )
      })}
      <div className={classes.wide}>
        <dt>Uptime</dt>
        <dd>
          <LargeNumber>
            {terminal.uptime !== null && isNew(terminal.update_from_telemetry)
              ? formatLength(Math.floor(terminal.uptime / 60) * 60)
              : '-'}
          </LargeNumber>
        </dd>
      </div>
      <div>
        <dt>{leftLabel}</dt>
        <dd>{leftGb === null ? <LargeNumber>-</LargeNumber> : splitUnit(formatLeft(leftGb))}</dd>
      </div>
    </dl>
  )
}

/** The unit is small beside its number. */
function splitUnit(text: string) {
  const [number, unit] = text.split(' ')
  return (
    <>
      {number}
      {unit && <small> {unit}</small>}
    </>
  )
}
