import { Button, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { getOwnTimeZone } from '#contract/format/times.ts'
import { profile } from '#contract/profile.ts'
import { QuietHours } from '#contract/quiet-hours.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'
import classes from './ProfilePage.module.css'
import { profileQuery } from './profile.ts'

/** When no SMS is sent, in the user's time zone. */
export function QuietHoursForm({ known }: { known: QuietHours }) {
  const queries = useQueryClient()
  const wire = z.encode(QuietHours, known)
  const [error, setError] = useState<string>()
  const save = useMutation({
    mutationFn: (hours: QuietHours) => call(profile.setQuietHours, hours),
    onSuccess: async () => {
      notice.success('Your quiet hours have been saved.')
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    },
    onError: (cause) => setError(getErrorMessage(cause)),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    const parsed = z.safeDecode(QuietHours, { ...fields, timeZone: getOwnTimeZone() } as never)
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message)
    if (parsed.success) save.mutate(parsed.data)
  }
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.row}>
        <TextInput name="quietFrom" type="time" label="No texts from" defaultValue={wire.quietFrom} />
        <TextInput name="quietUntil" type="time" label="until" defaultValue={wire.quietUntil} />
        <TextInput
          name="smsDailyLimit"
          type="number"
          min={1}
          max={100}
          label="Most texts in a day"
          defaultValue={String(wire.smsDailyLimit)}
        />
        <Button type="submit" variant="default" h="var(--touch)" loading={save.isPending}>
          Save
        </Button>
      </div>
      <Text size="xs" className={classes.quiet} mt={4}>
        Times are those of {known.timeZone}
        {known.timeZone !== getOwnTimeZone() && `; saving changes them to ${getOwnTimeZone()}`}. Texts of the quiet
        hours come when they end, if they still hold; email is not held back.
      </Text>
      <p role="alert" className={classes.message}>
        {error}
      </p>
    </form>
  )
}
