import { Button } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import classes from './ProfilePage.module.css'

const shownAtFirst = 10

interface ShortListProps {
  label: string
  rows: readonly ReactElement[]
  /** The total number, if the rows are only the newest ones. */
  total?: number
}

/**
 * The first rows of a list with a button for the others, so that a long list neither scrolls in a box nor fills the page.
 */
export function ShortList({ label, rows, total = rows.length }: ShortListProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst)
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {shown}
      </ul>
      {rows.length > shown.length && (
        <Button variant="default" h="var(--touch)" onClick={() => setWhole(true)}>
          Show {total > rows.length ? 'the newest' : 'all'} {formatCount(rows.length)}
        </Button>
      )}
    </>
  )
}
