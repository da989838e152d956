import { Button, Title } from '@mantine/core'
import { useState } from 'react'
import type { MonthTotal } from '#contract/executive-sums.ts'
import { formatCount, formatUsd } from '#contract/format/numbers.ts'
import { formatGb } from '#contract/format/units.ts'
import classes from './MonthSection.module.css'

const shownAtFirst = 6

/** The sources of the month's data and spend, most data first. */
export function ShareTable({ title, totals }: { title: string; totals: readonly MonthTotal[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? totals : totals.slice(0, shownAtFirst)
  const most = Math.max(totals[0]?.dataGb.at(-1) ?? 0, Number.MIN_VALUE)
  return (
    <div className={classes.part}>
      <Title order={4} size="h5">
        {title}
      </Title>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Lines</th>
            <th scope="col">Data</th>
            <th scope="col">Spend</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, dataGb, priceUsd, lines }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                <span
                  className={classes.share}
                  style={{ width: `${((dataGb.at(-1) ?? 0) / most) * 100}%` }}
                  aria-hidden="true"
                />
              </th>
              <td>{formatCount(lines.at(-1) ?? 0)}</td>
              <td>{formatGb(dataGb.at(-1) ?? 0)}</td>
              <td>{formatUsd(priceUsd.at(-1) ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totals.length > shown.length && (
        <Button variant="subtle" onClick={() => setWhole(true)} style={{ alignSelf: 'start' }}>
          Show all {formatCount(totals.length)}
        </Button>
      )}
    </div>
  )
}
