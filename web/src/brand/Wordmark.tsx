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

export const DishMark = () => (
  <svg viewBox="0 0 48 48" className={classes.dish} aria-hidden="true">
    <path
      d="M6 15c0 13.8 10.7 24 24 24 2.7 0 4.2-2.2 2.7-4.100L12.2 13.400C10 11.2 6 12 6 15Z"
      className={classes.bowl}
    />
    <path d="M20.5 27.5 28 20" className={classes.line} />
    <circle cx="29.5" cy="18.5" r="3" className={classes.bowl} />
    <path d="M31 10.500a8 8 0 0 1 7 7M32 3.500a15 15 0 0 1 12.8 12.8" className={classes.line} />
    <path d="M14 44h20" className={classes.line} />
    <path d="M21 38v6" className={classes.line} />
  </svg>
)
