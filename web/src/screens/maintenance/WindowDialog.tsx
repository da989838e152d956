import { Autocomplete, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { MaintenanceWindow } from '#contract/maintenance.ts'
import { fleetQuery } from '../../parts/fleet/fleet-queries.ts'
import { GroupField } from '../../parts/GroupField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { focusFirstError } from '../../ui/form-errors.ts'
import { AreaMap } from './AreaMap.tsx'
import { readFields, toFields, type WindowErrors, type WindowFields } from './window-form.ts'
import { weekdays } from './window-words.ts'
import { useSaveWindow } from './windows.ts'

interface WindowDialogProps {
  /** The window to change; undefined to create one. */
  window: MaintenanceWindow | undefined
  timeZone: string
  onClose: () => void
}

export function WindowDialog({ window, timeZone, onClose }: WindowDialogProps) {
  const [fields, setFields] = useState(() => toFields(window, Date.now(), timeZone))
  const [errors, setErrors] = useState<WindowErrors>({})
  const save = useSaveWindow(window?.id)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { planned, errors: found } = readFields(fields)
    setErrors(found)
    focusFirstError(form, found)
    if (planned) save.mutate(planned, { onSuccess: onClose })
  }
  const change = (changed: Partial<WindowFields>) => setFields((before) => ({ ...before, ...changed }))
  const field = (name: Exclude<keyof WindowFields, 'weekdays'>) => ({
    name,
    value: fields[name],
    error: errors[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => change({ [name]: value }),
  })
  return (
    <Dialog onClose={onClose} title={window ? 'Change maintenance' : 'Plan maintenance'} centered size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput {...field('name')} label="Name" maxLength={100} required data-autofocus autoComplete="off" />
          <NativeSelect
            {...field('kind')}
            label="What is maintained"
            data={[
              { value: 'terminal', label: 'A terminal' },
              { value: 'group', label: 'All terminals of a group' },
              { value: 'area', label: 'All terminals in an area' },
            ]}
          />
          <TargetFields fields={fields} errors={errors} field={field} onChange={change} />
          <NativeSelect
            {...field('repeats')}
            label="Repeats"
            data={[
              { value: 'once', label: 'Once' },
              { value: 'weekly', label: 'Weekly' },
              { value: 'monthly', label: 'Monthly' },
            ]}
          />
          {fields.repeats === 'weekly' && (
            <Checkbox.Group
              label="Days"
              value={fields.weekdays}
              error={errors.weekdays}
              onChange={(chosen) => change({ weekdays: chosen })}
            >
              <Group gap="sm" mt={4}>
                {weekdays.map((day, index) => (
                  <Checkbox key={day} name="weekdays" value={String(index + 1)} label={day} />
                ))}
              </Group>
            </Checkbox.Group>
          )}
          {fields.repeats === 'monthly' && (
            <TextInput
              {...field('monthDays')}
              label="Days of the month"
              description="Such as 1, 15. In a month that is too short, the last day is taken."
            />
          )}
          <Group grow align="start">
            <TextInput {...field('firstDay')} type="date" label={fields.repeats === 'once' ? 'Day' : 'From'} />
            {fields.repeats !== 'once' && <TextInput {...field('lastDay')} type="date" label="Until (optional)" />}
          </Group>
          <Group grow align="start">
            <TextInput {...field('startMinute')} type="time" label="Begins at" />
            <TextInput {...field('lengthMinutes')} inputMode="numeric" label="Minutes" />
          </Group>
          <Text size="xs" c="var(--quiet)">
            In the time zone {timeZone}. Outages in this time notify nobody and do not count against availability.
          </Text>
          <FormActions action={window ? 'Save' : 'Plan'} pending={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

interface TargetFieldsProps {
  fields: WindowFields
  errors: WindowErrors
  field: (name: 'latitude' | 'longitude' | 'radiusKm') => object
  onChange: (changed: Partial<WindowFields>) => void
}

function TargetFields({ fields, errors, field, onChange }: TargetFieldsProps) {
  const fleet = useQuery(fleetQuery)
  const choice = { required: true, maxDropdownHeight: 200, comboboxProps: { withinPortal: false }, limit: 50 }
  if (fields.kind === 'terminal')
    return (
      <Autocomplete
        {...choice}
        name="terminal"
        label="Terminal"
        description="Its nickname, kit number or service line number"
        data={[...new Set(fleet.data?.terminals.map(({ nickname }) => nickname))]}
        value={fields.terminal}
        error={errors.terminal}
        onChange={(terminal) => onChange({ terminal })}
        autoComplete="off"
      />
    )
  if (fields.kind === 'group')
    return <GroupField value={fields.group} error={errors.group} onChange={(group) => onChange({ group })} />
  return (
    <>
      <Group grow align="start">
        <TextInput {...field('latitude')} inputMode="decimal" label="Latitude" />
        <TextInput {...field('longitude')} inputMode="decimal" label="Longitude" />
        <TextInput {...field('radiusKm')} inputMode="numeric" label="Radius (km)" />
      </Group>
      <AreaMap fields={fields} terminals={fleet.data?.terminals} onChoose={onChange} />
      <Text size="xs" c="var(--quiet)">
        Choose the middle on the map or enter it above. Terminals that move are not included.
      </Text>
    </>
  )
}
