import { type FormEvent, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { getErrorMessage } from '../../api.ts'
import { useTenantId } from '../../brand/tenant.ts'
import { useCountdown } from '../../ui/use-countdown.ts'

const TRY_AGAIN = 'You can try again now.'
const tenantMissing = 'Tenant information is missing. Please try again.'

/**
 * Submits the three forms: checks the fields, requires a tenant, makes the call and reports errors. When rate limited,
 * it submits nothing until the limit has expired.
 */
export function useSubmit<Name extends string>(
  check: (fields: Record<Name, string>) => Partial<Record<Name, string>>,
  act: (fields: Record<Name, string>, tenant: string) => Promise<void>,
) {
  const tenant = useTenantId()
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const [waitUntilMs, setWaitUntilMs] = useState<number>()
  const waitSeconds = useCountdown(waitUntilMs)
  const hasWaited = waitUntilMs !== undefined && waitSeconds === 0
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (waitSeconds > 0) return
    const form = event.currentTarget
    const fields = Object.fromEntries(new FormData(form)) as Record<Name, string>
    const found = check(fields)
    setErrors(found)
    setProblem(undefined)
    setWaitUntilMs(undefined)
    const first = Object.keys(found)[0]
    if (first) return (form.elements.namedItem(first) as HTMLElement).focus()
    if (!tenant) return setProblem(tenantMissing)
    setPending(true)
    try {
      await act(fields, tenant)
    } catch (error) {
      setProblem(getErrorMessage(error))
      if (error instanceof ApiError && error.status === 429 && error.retryAfterS)
        setWaitUntilMs(Date.now() + error.retryAfterS * 1000)
    } finally {
      setPending(false)
    }
  }
  /** The limit may not apply to another account. */
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    if (waitUntilMs === undefined || (target as HTMLInputElement).name !== 'email') return
    setWaitUntilMs(undefined)
    setProblem(undefined)
  }
  const message = { problem: hasWaited ? undefined : problem, waitSeconds, ...(hasWaited && { notice: TRY_AGAIN }) }
  return { errors, message, isWaiting: waitSeconds > 0, pending, onSubmit, onInput }
}
