import { type FormEvent, useState } from 'react'
import { getErrorMessage } from '../../api.ts'
import { useTenantId } from '../../brand/tenant.ts'

const tenantMissing = 'Tenant information is missing. Please try again.'

/** Submits the three forms: checks the fields, requires a tenant, makes the call and reports errors. */
export function useSubmit<Name extends string>(
  check: (fields: Record<Name, string>) => Partial<Record<Name, string>>,
  act: (fields: Record<Name, string>, tenant: string) => Promise<void>,
) {
  const tenant = useTenantId()
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = Object.fromEntries(new FormData(form)) as Record<Name, string>
    const found = check(fields)
    setErrors(found)
    setProblem(undefined)
    const first = Object.keys(found)[0]
    if (first) return (form.elements.namedItem(first) as HTMLElement).focus()
    if (!tenant) return setProblem(tenantMissing)
    setPending(true)
    try {
      await act(fields, tenant)
    } catch (error) {
      setProblem(getErrorMessage(error))
    } finally {
      setPending(false)
    }
  }
  return { errors, problem, pending, onSubmit }
}
