import { formatCount, formatPercent } from '#contract/format/numbers.ts'
import { formatWholeGb } from '#contract/format/units.ts'
import classes from './UsageBar.module.css'

interface UsageBarProps {
  usedGb: number
  limitGb: number
}

/** How much of a limit is used: a small bar with its figure. */
export function UsageBar({ usedGb, limitGb }: UsageBarProps) {
  const percent = limitGb > 0 ? (usedGb / limitGb) * 100 : 0
  return (
    <span className={classes.usage} title={`${formatCount(usedGb)} of ${formatWholeGb(limitGb)}`}>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${Math.min(100, percent)}%` }} data-full={percent >= 100} />
      </span>
      <span>{formatWholeGb(usedGb)}</span>
      <span className={classes.percent}>{formatPercent(percent)}</span>
    </span>
  )
}
