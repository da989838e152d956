import { formatCount } from '#contract/format/numbers.ts'
import { StatusShape } from '../StatusMark.tsx'
import { type ShownStatus, shownStatuses, statusLabels } from '../status.ts'
import classes from './FleetChips.module.css'

interface StatusChipsProps {
  counts: Record<ShownStatus, number> | undefined
  chosen: ShownStatus | undefined
  onChoose: (status: ShownStatus | undefined) => void
}

/** Pressing a chip shows that status only; pressing it again shows all. */
export function StatusChips({ counts, chosen, onChoose }: StatusChipsProps) {
  return (
    <fieldset className={classes.chips}>
      <legend className="visually-hidden">Filter by status</legend>
      {shownStatuses.map((status) => (
        <button
          key={status}
          type="button"
          className={classes.chip}
          aria-pressed={chosen === status}
          onClick={() => onChoose(chosen === status ? undefined : status)}
        >
          <StatusShape status={status} />
          <span className={classes.word}>{statusLabels[status]}</span>
          <span className={classes.count}>{counts ? formatCount(counts[status]) : '-'}</span>
        </button>
      ))}
    </fieldset>
  )
}
