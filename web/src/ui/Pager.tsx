import classes from './Pager.module.css'
import { listPagerItems } from './paginate.ts'

interface PagerProps {
  /** The paged list, for the accessible name. */
  label: string
  page: number
  pageCount: number
  onPage: (page: number) => void
}

export function Pager({ label, page, pageCount, onPage }: PagerProps) {
  if (pageCount <= 1) return null
  return (
    <nav aria-label={label}>
      <ul className={classes.pager}>
        {listPagerItems(pageCount, page).map((item, index, items) => (
          <li key={item ?? `after ${items[index - 1]}`}>
            {item === null ? (
              <span className={classes.gap} aria-hidden="true">
                …
              </span>
            ) : (
              <button
                type="button"
                className={classes.page}
                aria-label={`Page ${item}`}
                aria-current={item === page ? 'page' : undefined}
                onClick={() => onPage(item)}
              >
                {item}
              </button>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
