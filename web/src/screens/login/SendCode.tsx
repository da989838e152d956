import { Anchor, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { formatCountdown } from '#contract/format/durations.ts'
import { CODE_PAUSE_S, identity } from '#contract/identity.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useTenantId } from '../../brand/tenant.ts'
import { useCountdown } from '../../ui/use-countdown.ts'
import classes from './LoginPage.module.css'

/** Where the code was mailed to, and a button that mails another one after a delay. */
export function SendCode({ email, isSent }: { email: string; isSent: boolean }) {
  const tenant = useTenantId()
  const [problem, setProblem] = useState<string>()
  const [waitUntilMs, setWaitUntilMs] = useState(() => Date.now() + CODE_PAUSE_S * 1000)
  const waitSeconds = useCountdown(waitUntilMs)
  const send = async () => {
    if (!tenant) return
    setProblem(undefined)
    setWaitUntilMs(Date.now() + CODE_PAUSE_S * 1000)
    try {
      await call(identity.sendCode, { email, tenant })
    } catch (error) {
      const retryAfterS = error instanceof ApiError ? error.retryAfterS : undefined
      setWaitUntilMs(Date.now() + (retryAfterS ?? 0) * 1000)
      setProblem(getErrorMessage(error))
    }
  }
  const hasStarted = useRef(isSent)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    void send()
  })
  return (
    <>
      <Text size="sm" c="var(--quiet)">
        Enter the six digits that were sent to {email}.
      </Text>
      <div className={classes.resend}>
        {waitSeconds > 0 ? (
          <Text size="sm" c="var(--quiet)" aria-hidden>
            Send another code in <span className={classes.countdown}>{formatCountdown(waitSeconds)}</span>
          </Text>
        ) : (
          <Anchor component="button" type="button" size="sm" onClick={send}>
            Send another code
          </Anchor>
        )}
        {problem && (
          <span role="alert" className={classes.problem}>
            {problem}
          </span>
        )}
      </div>
    </>
  )
}
