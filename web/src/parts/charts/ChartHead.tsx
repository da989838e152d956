import type { SignalExtremes } from '#contract/terminal-detail.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './ChartHead.module.css'
import type { ChartMeasure } from './measures.ts'

interface ChartHeadProps {
  measure: ChartMeasure
  extremes: SignalExtremes[ChartMeasure['key']]
}

/** The name of a measure with its extremes and its last value. */
export function ChartHead({ measure, extremes }: ChartHeadProps) {
  const { last, lastAt } = extremes
  return (
    <header className={classes.head}>
      <h3 className={classes.name}>
        {measure.label} <small>{measure.unit}</small>
      </h3>
      <dl className={classes.extremes}>
        {(['min', 'max', 'last'] as const).map((which) => (
          <div key={which}>
            <dt>{which.toUpperCase()}</dt>
            <dd>
              {measure.format(extremes[which])}
              {which === 'last' && lastAt && last !== null && <LastAge at={lastAt} />}
            </dd>
          </div>
        ))}
      </dl>
    </header>
  )
}

const AGE_INTERVAL_MS = 5000

function LastAge({ at }: { at: Date }) {
  const nowMs = useNow(AGE_INTERVAL_MS)
  return (
    <small className={classes.age}>
      <TimeAgo at={at} nowMs={nowMs} />
    </small>
  )
}
