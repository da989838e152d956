import { Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { availability } from '#contract/availability.ts'
import { call, getErrorMessage } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { notice } from '../../ui/notice.ts'
import { availabilityKey } from './queries.ts'

interface TargetDialogProps {
  group: string
  target: number | null
  onClose: () => void
}

/** The availability promised to a group, in percent. */
export function TargetDialog({ group, target, onClose }: TargetDialogProps) {
  const queries = useQueryClient()
  const [text, setText] = useState(target === null ? '' : String(target))
  const [fault, setFault] = useState<string>()
  const save = useMutation({
    mutationFn: (percent: number | null) => call(availability.setTarget, { group, percent }),
    onSuccess: async ({ message }) => {
      notice.success(message)
      await queries.invalidateQueries({ queryKey: availabilityKey })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const input = z.safeDecode(availability.setTarget.input, {
      group,
      percent: text.trim() === '' ? null : Number(text),
    })
    setFault(input.success ? undefined : 'Please enter a percentage from 1 to 100.')
    if (input.success) save.mutate(input.data.percent)
  }
  return (
    <Dialog onClose={onClose} title={`Target of ${group}`} centered size="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label="Availability (%)"
            description="Such as 99.5. Leave empty for no target."
            inputMode="decimal"
            value={text}
            error={fault ?? (save.error ? getErrorMessage(save.error) : undefined)}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            data-autofocus
            autoComplete="off"
          />
          <FormActions action="Save" pending={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
