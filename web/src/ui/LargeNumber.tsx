import classes from './LargeNumber.module.css'

interface LargeNumberProps {
  className?: string | undefined
  children: string
}

/** A number that stands alone and may be unknown. */
export const LargeNumber = ({ className, children }: LargeNumberProps) => (
  <span className={className}>{children === '-' ? <span className={classes.unknown}>-</span> : children}</span>
)
