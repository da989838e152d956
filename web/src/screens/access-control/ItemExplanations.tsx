import { useMediaQuery } from '@mantine/hooks'
import classes from './ItemExplanations.module.css'
import type { MatrixItem } from './matrix.ts'

/** What each column of the matrix allows: expanded where there is room, collapsed on a phone. */
export function ItemExplanations({ items }: { items: readonly MatrixItem[] }) {
  const isWide = useMediaQuery('(min-width: 768px)', undefined, { getInitialValueInEffect: false })
  return (
    <details className={classes.details} open={isWide}>
      <summary>What each column allows</summary>
      <dl className={classes.items}>
        {items.map(({ code, label, allows }) => (
          <div key={code}>
            <dt>{label}</dt>
            <dd>{allows}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
