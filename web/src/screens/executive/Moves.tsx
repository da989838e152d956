import { Text, Title } from '@mantine/core'
import type { ExecutiveMonths } from '#contract/executive.ts'
import { listMoves, type MonthTotal } from '#contract/executive-sums.ts'
import { formatChange, formatCounted } from '#contract/format/numbers.ts'
import { formatGb } from '#contract/format/units.ts'
import classes from './MonthSection.module.css'

const maxMoves = 5

/** The largest changes, over the same number of days of both months. */
export function Moves({ months, totals }: { months: ExecutiveMonths; totals: readonly MonthTotal[] }) {
  const isComparable = months.comparedDays > 0 && months.firstDays.at(-2) != null
  const moves = isComparable ? listMoves(totals, maxMoves) : []
  return (
    <div className={classes.part}>
      <Title order={4} size="h5">
        What moved most
      </Title>
      {moves.length === 0 ? (
        <Text c="var(--quiet)">{isComparable ? 'Nothing changed.' : 'There is no month before to compare with.'}</Text>
      ) : (
        <>
          <Text size="xs" c="var(--quiet)">
            The first {formatCounted(months.comparedDays, 'day')} of the month against those of the month before
          </Text>
          <ul className={classes.list} aria-label="What moved most">
            {moves.map(({ name, comparedGb, beforeGb }) => (
              <li key={name}>
                <span>{name}</span>
                <span>
                  {comparedGb > beforeGb ? '+' : '−'}
                  {formatGb(Math.abs(comparedGb - beforeGb))}{' '}
                  <span className={classes.note}>
                    {beforeGb > 0 ? `${formatChange(comparedGb / beforeGb - 1)}, ` : ''}
                    {formatGb(beforeGb)} → {formatGb(comparedGb)}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
