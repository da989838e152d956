import { Button, Checkbox, Stack, Switch, TextInput, Title } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { type SsoChange, type StoredSso, singleSignOn, ssoBounds } from '#contract/single-sign-on.ts'
import { call, getErrorMessage } from '../../api.ts'
import { tenantQuery } from '../../brand/tenant.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { FormSection } from '../../ui/FormSection.tsx'
import { splitFieldError } from '../../ui/form-errors.ts'
import { notice } from '../../ui/notice.ts'
import { Waiting } from '../../ui/Waiting.tsx'
import { ProviderSection } from './ProviderSection.tsx'
import { RulesSection } from './RulesSection.tsx'
import { SampleSection } from './SampleSection.tsx'
import classes from './SingleSignOnPage.module.css'
import { checkForm, dropErrors, type Errors, toForm } from './sso-form.ts'

const ssoQuery = queryOptions({
  queryKey: ['single sign-on'],
  queryFn: ({ signal }) => call(singleSignOn.get, {}, signal),
})

/** Fields whose values only the server can judge. */
const SERVER_CHECKED = ['issuer', 'clientSecret']

/** The settings for signing in through the tenant's own provider. */
export function SingleSignOnPage() {
  const stored = useQuery(ssoQuery)
  const retry = () => void stored.refetch()
  if (stored.data) return <SsoForm stored={stored.data} />
  if (stored.isError)
    return <AdminFailure what="Single sign-on could not be loaded." error={stored.error} onRetry={retry} />
  return <Waiting text="Loading single sign-on..." retry={retry} />
}

function SsoForm({ stored }: { stored: StoredSso }) {
  const queries = useQueryClient()
  const page = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(() => toForm(stored))
  const [errors, setErrors] = useState<Errors>({})
  const change = (part: Partial<typeof form>) => {
    setForm((before) => ({ ...before, ...part }))
    setErrors((before) => dropErrors(before, Object.keys(part)))
  }
  const showErrors = (found: Errors) => {
    setErrors(found)
    // After the errors have been rendered.
    if (Object.keys(found).length > 0)
      requestAnimationFrame(() => page.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const save = useMutation({
    mutationFn: (entered: SsoChange) => call(singleSignOn.change, entered),
    onSuccess: async (saved) => {
      notice.success('Single sign-on has been saved.')
      setForm(toForm(saved))
      queries.setQueryData(ssoQuery.queryKey, saved)
      await queries.invalidateQueries({ queryKey: tenantQuery.queryKey })
    },
    onError: (error) => {
      const refused = splitFieldError(getErrorMessage(error), SERVER_CHECKED)
      if (Object.keys(refused).length === 0) notice.error(getErrorMessage(error))
      else showErrors(refused)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { change: entered, errors: found } = checkForm(form)
    if (entered) save.mutate(entered)
    showErrors(found)
  }
  const minutes = (name: keyof typeof ssoBounds) => ({
    name,
    value: form[name],
    error: errors[name],
    type: 'number',
    inputMode: 'numeric' as const,
    ...ssoBounds[name],
    classNames: { input: classes.input },
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change({ [name]: currentTarget.value }),
  })
  return (
    <form ref={page} className={classes.page} onSubmit={submit} noValidate>
      <AdminPlaces />
      <Title order={1}>Single Sign-On</Title>
      <ProviderSection stored={stored} form={form} errors={errors} onChange={change} onErrors={showErrors} />
      <RulesSection rules={form.rules} errors={errors} onChange={(rules) => change({ rules })} />
      <SampleSection rules={form.rules} />
      <FormSection
        title="Sessions"
        about="From time to time the provider is asked whether a user may still sign in. Users whom it refuses are signed out."
      >
        <div className={classes.fields}>
          <TextInput {...minutes('recheckMinutes')} label="Minutes between checks" />
          <TextInput {...minutes('graceMinutes')} label="Minutes that it may be unreachable" />
        </div>
      </FormSection>
      <FormSection
        title="Use"
        about="With single sign-on only, passwords are refused for everybody but the administrators for emergencies, and sessions that began with a password end."
      >
        <Switch
          label="Users may sign in with single sign-on"
          checked={form.isEnabled}
          onChange={({ currentTarget: { checked } }) =>
            change({ isEnabled: checked, ...(!checked && { isOnly: false }) })
          }
        />
        <Switch
          label="Single sign-on only"
          checked={form.isOnly}
          disabled={!form.isEnabled}
          title={form.isEnabled ? undefined : 'Let users sign in with single sign-on first.'}
          onChange={({ currentTarget }) => change({ isOnly: currentTarget.checked })}
        />
        <Checkbox.Group
          label="Administrators for emergencies"
          description="They may always use their password, and no rule changes their role"
          value={form.breakGlass}
          onChange={(breakGlass) => change({ breakGlass })}
        >
          <Stack gap={6} mt={6}>
            {stored.administrators.map(({ user_id, email }) => (
              <Checkbox key={user_id} value={user_id} label={email} />
            ))}
          </Stack>
        </Checkbox.Group>
      </FormSection>
      <Button type="submit" className={classes.start} h="var(--touch)" loading={save.isPending}>
        Save
      </Button>
    </form>
  )
}
