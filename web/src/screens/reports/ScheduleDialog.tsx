import { Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { timeOfDay } from '#contract/calendar.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { listTimeZones } from '#contract/format/times.ts'
import { NewSchedule, type ReportSchedule } from '#contract/reports.ts'
import { GroupField } from '../../parts/GroupField.tsx'
import { usersQuery } from '../../parts/users-query.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { type FormErrors, focusFirstError, listErrors } from '../../ui/form-errors.ts'
import classes from './ReportView.module.css'
import { useSaveSchedule } from './reports.ts'

interface ScheduleDialogProps {
  /** The schedule to change; undefined to create one. */
  schedule: ReportSchedule | undefined
  timeZone: string
  onClose: () => void
}

/** By then, the data of the previous day is complete. */
const DEFAULT_MINUTE = 7 * 60

export function ScheduleDialog({ schedule, timeZone, onClose }: ScheduleDialogProps) {
  const [errors, setErrors] = useState<FormErrors>({})
  const [isGroup, setIsGroup] = useState(schedule !== undefined && schedule.group !== null)
  const [chosen, setChosen] = useState(schedule?.recipients.map(({ id }) => id) ?? [])
  const save = useSaveSchedule(schedule?.id)
  const zone = schedule?.timeZone ?? timeZone
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const read = (name: string) => String(data.get(name) ?? '')
    const parsed = z.safeDecode(NewSchedule, {
      name: read('name'),
      period: read('period') as 'week',
      timeZone: read('timeZone'),
      sendAt: read('sendAt'),
      group: isGroup ? read('group') : null,
      recipients: chosen,
    })
    const found = parsed.success ? {} : listErrors(parsed.error.issues)
    setErrors(found)
    focusFirstError(form, found)
    if (parsed.success) save.mutate(parsed.data, { onSuccess: onClose })
  }
  return (
    <Dialog onClose={onClose} title={schedule ? 'Change schedule' : 'Schedule reports'} centered size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            name="name"
            label="Name"
            description="Used as the subject of the mail"
            defaultValue={schedule?.name}
            error={errors.name}
            maxLength={100}
            required
            data-autofocus
            autoComplete="off"
          />
          <NativeSelect
            label="Terminals"
            value={isGroup ? 'group' : 'all'}
            onChange={({ currentTarget }) => setIsGroup(currentTarget.value === 'group')}
            data={[
              { value: 'all', label: 'All terminals' },
              { value: 'group', label: 'Those of a group' },
            ]}
          />
          {isGroup && <GroupField defaultValue={schedule?.group ?? ''} error={errors.group} />}
          <Group grow align="start">
            <NativeSelect
              name="period"
              label="Every"
              defaultValue={schedule?.period ?? 'month'}
              data={[
                { value: 'week', label: 'Week (from Monday)' },
                { value: 'month', label: 'Month' },
              ]}
            />
            <TextInput
              name="sendAt"
              type="time"
              label="Sent the day after at"
              defaultValue={z.encode(timeOfDay, schedule?.sendAt ?? DEFAULT_MINUTE)}
              error={errors.sendAt}
            />
          </Group>
          <NativeSelect name="timeZone" label="Time zone" defaultValue={zone} data={listTimeZones(zone)} />
          <Recipients chosen={chosen} onChange={setChosen} error={errors.recipients} />
          <FormActions action={schedule ? 'Save' : 'Schedule'} pending={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

const MAX_SHOWN = 100

interface RecipientsProps {
  chosen: string[]
  onChange: (chosen: string[]) => void
  error: string | undefined
}

function Recipients({ chosen, onChange, error }: RecipientsProps) {
  const users = useQuery(usersQuery)
  const [text, setText] = useState('')
  const found = (users.data ?? []).filter(
    ({ user_id, email, customerName }) =>
      (text === '' && chosen.includes(user_id)) ||
      `${email} ${customerName}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <Stack gap={4}>
      <TextInput
        type="search"
        label="Recipients"
        description="Each gets what they may see of these terminals"
        placeholder="Search users"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Checkbox.Group aria-label="Recipients" value={chosen} onChange={onChange} error={error}>
        <Stack gap={4} className={classes.users} tabIndex={0} role="group" aria-label="Users">
          {found.slice(0, MAX_SHOWN).map(({ user_id, email, username }) => (
            <Checkbox key={user_id} value={user_id} label={`${email} (${username})`} />
          ))}
          {users.data && found.length === 0 && <Text size="sm">No user matches.</Text>}
        </Stack>
      </Checkbox.Group>
      <Text size="xs" c="var(--quiet)">
        {chosen.length === 0
          ? 'Nobody is chosen: reports are made and retained only.'
          : `${formatCount(chosen.length)} chosen`}
      </Text>
    </Stack>
  )
}
