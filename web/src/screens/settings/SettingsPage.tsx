import { Anchor, Button, Checkbox, NativeSelect, TextInput, Title } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { formatCounted } from '#contract/format/numbers.ts'
import { listTimeZones } from '#contract/format/times.ts'
import {
  type Retention,
  Settable,
  type StoredSettings,
  settingBounds,
  type TenantSettings,
  tenantSettings,
} from '#contract/tenant-settings.ts'
import { call, getErrorMessage } from '../../api.ts'
import { tenantQuery } from '../../brand/tenant.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { FormSection } from '../../ui/FormSection.tsx'
import { type FormErrors, focusFirstError, listErrors } from '../../ui/form-errors.ts'
import { notice } from '../../ui/notice.ts'
import { Waiting } from '../../ui/Waiting.tsx'
import classes from './SettingsPage.module.css'

const settingsQuery = queryOptions({
  queryKey: ['tenant settings'],
  queryFn: ({ signal }) => call(tenantSettings.get, {}, signal),
})

/** The settings that administrators make for all users of a tenant. */
export function SettingsPage() {
  const stored = useQuery(settingsQuery)
  const retry = () => void stored.refetch()
  if (stored.data) return <SettingsForm stored={stored.data} />
  if (stored.isError)
    return <AdminFailure what="The settings could not be loaded." error={stored.error} onRetry={retry} />
  return <Waiting text="Loading settings..." retry={retry} />
}

const retentionLabels: Record<keyof Retention, string> = {
  ticketRetentionDays: 'Tickets',
  messageRetentionDays: 'Messages',
  securityEventRetentionDays: 'Security events',
}
const retentionNames = Object.keys(retentionLabels) as (keyof Retention)[]

const factorSwitches = [
  { name: 'secondFactorForAdmins', label: 'Administrators' },
  { name: 'secondFactorForUsers', label: 'Users' },
] as const

const readForm = (form: HTMLFormElement): { settings?: TenantSettings; errors: FormErrors } => {
  const fields = Object.fromEntries(new FormData(form))
  for (const name of retentionNames) fields[name] = (fields[name] || null) as never
  for (const name of [...factorSwitches.map(({ name }) => name), 'publicStatus']) fields[name] = String(name in fields)
  const parsed = z.safeDecode(Settable, fields as never)
  if (parsed.success) return { settings: parsed.data, errors: {} }
  return { errors: listErrors(parsed.error.issues) }
}

function SettingsForm({ stored: { settings, installation } }: { stored: StoredSettings }) {
  const queries = useQueryClient()
  const [errors, setErrors] = useState<FormErrors>({})
  const save = useMutation({
    mutationFn: (changed: TenantSettings) => call(tenantSettings.change, changed),
    onSuccess: async (changed) => {
      notice.success('The settings have been saved.')
      queries.setQueryData(settingsQuery.queryKey, changed)
      await queries.invalidateQueries({ queryKey: tenantQuery.queryKey })
    },
    onError: (error) => notice.error(getErrorMessage(error)),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { settings: entered, errors: found } = readForm(form)
    setErrors(found)
    focusFirstError(form, found)
    if (entered) save.mutate(entered)
  }
  const number = (name: keyof typeof settingBounds) => ({
    name,
    error: errors[name],
    type: 'number',
    inputMode: 'numeric' as const,
    ...settingBounds[name],
    defaultValue: settings[name] ?? '',
    classNames: { input: classes.input },
  })
  return (
    <form className={classes.page} onSubmit={submit} noValidate>
      <AdminPlaces />
      <Title order={1}>Settings</Title>
      <FormSection
        title="Time and units"
        about="Times in mail, files and answers of the assistant, and the scale of maps. Data usage is counted in days of UTC."
      >
        <div className={classes.fields}>
          <NativeSelect
            name="timeZone"
            label="Time zone"
            error={errors.timeZone}
            data={listTimeZones(settings.timeZone)}
            defaultValue={settings.timeZone}
            classNames={{ input: classes.input }}
          />
          <NativeSelect
            name="units"
            label="Units"
            data={[
              { value: 'metric', label: 'Metric (km)' },
              { value: 'imperial', label: 'Imperial (miles)' },
            ]}
            defaultValue={settings.units}
            classNames={{ input: classes.input }}
          />
        </div>
      </FormSection>
      <FormSection
        title="Second factors are required of"
        about="Users without one must add a passkey or an authenticator app before anything else. A mailed code does not count."
      >
        <div className={classes.fields}>
          {factorSwitches.map(({ name, label }) => (
            <Checkbox key={name} name={name} label={label} defaultChecked={settings[name]} />
          ))}
        </div>
      </FormSection>
      <FormSection
        title="Status page"
        about={
          <>
            Which areas work, and incidents that concern an area, without the names of customers. It is at{' '}
            {settings.publicStatus ? <Anchor href={`/status${location.search}`}>/status</Anchor> : '/status'}.
          </>
        }
      >
        <div className={classes.fields}>
          <Checkbox name="publicStatus" label="Anybody can read it" defaultChecked={settings.publicStatus} />
        </div>
      </FormSection>
      <FormSection title="Notifications" about="A shorter outage is not reported to anybody.">
        <div className={classes.fields}>
          <TextInput {...number('settlingMinutes')} label="Minutes that a status has to last" />
        </div>
      </FormSection>
      <FormSection
        title="Early warnings"
        about="Starlink disables dishes that are too far from their service address or roam for too long, but states no limits."
      >
        <div className={classes.fields}>
          <TextInput {...number('addressRadiusKm')} label="Kilometers from the service address" />
          <TextInput {...number('borderKm')} label="Kilometers from a border, for mobile lines (0: none)" />
          <TextInput {...number('roamingDays')} label="Days in another country" />
        </div>
      </FormSection>
      <FormSection
        title="Retention"
        about="They are deleted for good after this many days. If empty, the default of this installation applies."
      >
        <div className={classes.fields}>
          {retentionNames.map((name) => (
            <TextInput
              key={name}
              {...number(name)}
              label={retentionLabels[name]}
              placeholder={formatCounted(installation[name], 'day')}
            />
          ))}
        </div>
      </FormSection>
      <Button type="submit" className={classes.save} h="var(--touch)" loading={save.isPending}>
        Save
      </Button>
    </form>
  )
}
