import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import classes from './ItemExplanations.module.css'
import type { MatrixItem } from './matrix.ts'

/** What each column of the matrix allows: expanded where there is room, collapsed on a phone. */
export function ItemExplanations({ items }: { items: readonly MatrixItem[] }) {
  const isNarrow = useIsNarrow()
  return (
    <details className={classes.details} open={!isNarrow}>
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
