import { dishMark } from '#contract/dish-mark.ts'
import classes from './Wordmark.module.css'

/** A dish and a name in the color of the surrounding text. */
export function Wordmark({ name }: { name: string }) {
  return (
    <span className={classes.mark}>
      <DishMark />
      <span className={classes.name}>{name}</span>
    </span>
  )
}

const DishMark = () => (
  <svg viewBox="0 0 48 48" className={classes.dish} aria-hidden="true">
    {dishMark.filled.map((path) => (
      <path key={path} d={path} fill="currentColor" />
    ))}
    {dishMark.lines.map((path) => (
      <path
        key={path}
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth={dishMark.lineWidth}
        strokeLinecap="round"
      />
    ))}
  </svg>
)
