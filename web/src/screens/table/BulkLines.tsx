import { type BulkLineState, maxShownLines, type PreviewLine } from '#contract/bulk.ts'
import { formatCount } from '#contract/format/numbers.ts'
import classes from './BulkLines.module.css'

const stateWords: Record<BulkLineState, string> = {
  waiting: 'Waiting',
  done: 'Done',
  unchanged: 'Unchanged',
  failed: 'Failed',
}

/** Whether to show before and after: not if nothing has changed. */
const isShown = (state: BulkLineState | undefined) => state === undefined || state === 'done'
const nameState = (state: BulkLineState | undefined) => state && stateWords[state]

interface BulkLinesProps {
  lines: readonly (PreviewLine & { state?: BulkLineState })[]
  /** The text for a line without a value; absent if lines have no values. */
  nothing: string | undefined
}

/** The result for each line: its value before and after, or why it cannot change. */
export function BulkLines({ lines, nothing }: BulkLinesProps) {
  const hasValues = nothing !== undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroller} aria-label="Terminals of the change" tabIndex={0}>
      <ul className={classes.lines}>
        {lines.map(({ name, before, after, problem, state }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list is replaced as a whole
          <li key={at} className={classes.line}>
            <span className={classes.name}>{name}</span>
            <span className={classes.change} data-failed={problem !== null || undefined}>
              {problem ??
                (hasValues && isShown(state) ? `${before ?? nothing} → ${after ?? nothing}` : nameState(state))}
            </span>
          </li>
        ))}
      </ul>
      {lines.length === maxShownLines && (
        <p className={classes.more}>The first {formatCount(maxShownLines)} are shown, with those that fail on top.</p>
      )}
    </section>
  )
}
