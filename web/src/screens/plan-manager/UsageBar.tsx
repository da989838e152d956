import classes from './UsageBar.module.css'

interface UsageBarProps {
  usedGb: number
  limitGb: number
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** How much of a limit is used: a small bar with its figure. */
export function UsageBar({ usedGb, limitGb }: UsageBarProps) {
  const percent = limitGb > 0 ? (usedGb / limitGb) * 100 : 0
  return (
    <span className={classes.usage} title={`${whole.format(usedGb)} of ${whole.format(limitGb)} GB`}>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${Math.min(100, percent)}%` }} data-full={percent >= 100} />
      </span>
      <span>{whole.format(usedGb)} GB</span>
      <span className={classes.percent}>{percent.toFixed(0)}%</span>
    </span>
  )
}
