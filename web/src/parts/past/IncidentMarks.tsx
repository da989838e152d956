import { useElementSize } from '@mantine/hooks'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatMoment } from '#contract/format/times.ts'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import type { Incident } from '#contract/incidents.ts'
import classes from './PastBar.module.css'
import { COLUMN_PX, type Mark, placeMarks, type Range } from './timeline.ts'

const describeMark = ({ worst, count }: Mark) =>
  count === 1
    ? formatIncidentTitle(worst)
    : `${formatCounted(count, 'incident')}: ${formatIncidentTitle(worst)}, and ${formatCount(count - 1)} more`

interface IncidentMarksProps {
  incidents: readonly Incident[]
  /** Earlier, only incidents of an area are known. */
  completeSinceMs: number | undefined
  range: Range
  nowMs: number
}

/** When there were incidents, on the slider: the more at once, the higher the mark. */
export function IncidentMarks({ incidents, completeSinceMs = 0, range, nowMs }: IncidentMarksProps) {
  const { ref, width } = useElementSize()
  const marks = placeMarks(incidents, range, nowMs, Math.floor(width / COLUMN_PX))
  const most = Math.max(...marks.map(({ count }) => count))
  const incompleteShare = Math.max(0, (completeSinceMs - (nowMs - range.ms)) / range.ms)
  return (
    <div ref={ref} className={classes.marks} aria-hidden="true">
      {incompleteShare > 0 && (
        <i
          style={{ width: `${100 * incompleteShare}%` }}
          title={`Before ${formatMoment(completeSinceMs)}, only incidents of an area are marked.`}
        />
      )}
      {marks.map((mark) => (
        <span
          key={mark.column}
          data-cause={mark.worst.cause}
          title={describeMark(mark)}
          style={{ left: mark.column * COLUMN_PX, height: `${100 * Math.sqrt(mark.count / most)}%` }}
        />
      ))}
    </div>
  )
}
