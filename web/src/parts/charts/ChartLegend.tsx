import { formatExactTime } from '#contract/format/times.ts'
import type { ChartData, ChartMark } from './chart-data.ts'
import { describeQuantile } from './quantile.ts'
import classes from './SignalCharts.module.css'

interface ChartLegendProps {
  data: ChartData
  /** Moves the cursor of the charts to a mark; undefined hides it. */
  onPoint: (at: Date | undefined) => void
}

/** What the lines, hatches and marks of the charts mean. A focused or hovered mark is highlighted in the charts. */
export function ChartLegend({ data, onPoint }: ChartLegendProps) {
  const { bands, line, compared, events, unobserved, missing, periodMin, stepS } = data
  return (
    <ul className={classes.legend}>
      {bands && (
        <li>
          <span className={classes.bandKey} aria-hidden="true" />
          Average, and the band from the lowest to the highest sample behind it
        </li>
      )}
      {line !== 'average' && (
        <li>
          <span className={classes.lineKey} aria-hidden="true" />
          {describeQuantile(line, periodMin, stepS, bands === null)}
        </li>
      )}
      {compared && (
        <li>
          <span className={classes.comparedKey} aria-hidden="true" />
          {compared.name}
        </li>
      )}
      {events.outages.length > 0 && (
        <li>
          <span className={classes.outageKey} aria-hidden="true" />
          Down
        </li>
      )}
      {events.planned.map(({ from, to, name }) => (
        <li key={from.getTime()}>
          <span className={classes.plannedKey} aria-hidden="true" />
          Planned{name && ` (${name})`}: {formatExactTime(from)} to {formatExactTime(to)}
        </li>
      ))}
      {events.marks.map((mark) => (
        <Mark key={`${mark.at.getTime()} ${mark.label}`} mark={mark} onPoint={onPoint} />
      ))}
      {unobserved.map(({ from, to }) => (
        <li key={from.getTime()}>
          <span className={classes.hatchKey} aria-hidden="true" />
          Not observed, our own feed was silent: {formatExactTime(from)} to {formatExactTime(to)}
        </li>
      ))}
      {missing.length > 0 && (
        <li>
          <span className={classes.missingKey} aria-hidden="true" />
          No values are stored
        </li>
      )}
    </ul>
  )
}

function Mark({ mark: { at, label }, onPoint }: { mark: ChartMark; onPoint: ChartLegendProps['onPoint'] }) {
  return (
    <li>
      <button
        type="button"
        className={classes.mark}
        onPointerEnter={() => onPoint(at)}
        onPointerLeave={() => onPoint(undefined)}
        onFocus={() => onPoint(at)}
        onBlur={() => onPoint(undefined)}
      >
        <span className={classes.markKey} aria-hidden="true" />
        {label}: {formatExactTime(at)}
      </button>
    </li>
  )
}
