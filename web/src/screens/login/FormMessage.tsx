import { VisuallyHidden } from '@mantine/core'
import { formatCountdown } from '#contract/format/durations.ts'
import classes from './LoginPage.module.css'

export const MESSAGE_ID = 'form-message'

interface FormMessageProps {
  problem: string | undefined
  notice?: string | undefined
  /** Seconds until the next attempt is allowed. */
  waitSeconds: number
}

export function FormMessage({ problem, notice, waitSeconds }: FormMessageProps) {
  return (
    <div className={classes.message} id={MESSAGE_ID}>
      {/* Announced once, with the waiting time; the visible countdown is not announced. */}
      <span role="alert" className={classes.problem}>
        {waitSeconds > 0 ? <VisuallyHidden>{problem}</VisuallyHidden> : problem}
      </span>
      {waitSeconds > 0 && (
        <span aria-hidden className={classes.problem}>
          Too many tries. You can try again in <span className={classes.countdown}>{formatCountdown(waitSeconds)}</span>
          .
        </span>
      )}
      {!problem && (
        <span role="status" className={classes.notice}>
          {notice}
        </span>
      )}
    </div>
  )
}
