import { formatPercent } from '#contract/format/numbers.ts'
import { formatWholeGb } from '#contract/format/units.ts'
import type { LineOutlook } from '#contract/plans.ts'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import classes from './PoolOutlook.module.css'
import { describeTopLines } from './shares.ts'

const percent = (share: number | null) => (share === null ? '-' : formatPercent(share * 100))

/** Which lines use most of a pool's data, and the forecast of each. */
export function LineShares({ lines }: { lines: readonly LineOutlook[] }) {
  if (lines.length === 0) return null
  return (
    <details className={classes.details}>
      <summary>{describeTopLines(lines)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroller} tabIndex={0} aria-label="Use by service line">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Service line</th>
              <th scope="col" data-align="right">
                Used
              </th>
              <th scope="col" data-align="right">
                Share
              </th>
              <th scope="col">Its own data</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.service_line}>
                <th scope="row">{line.nickname}</th>
                <td data-align="right">{formatWholeGb(line.used_GB)}</td>
                <td data-align="right">{percent(line.share)}</td>
                <td>
                  <ForecastMark forecast={line.forecast} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
