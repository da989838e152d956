import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isTableMetadataAllowed, type MetadataField, metadataMaxLength } from '#contract/service-lines.ts'
import { FormActions } from '../../ui/FormActions.tsx'
import type { ChangeFormProps } from './ChangeForm.tsx'

const fields: { value: MetadataField; label: string }[] = [
  { value: 'metadata1', label: 'Metadata 1' },
  { value: 'metadata2', label: 'Metadata 2' },
  { value: 'metadata3', label: 'Metadata 3' },
]

export function MetadataForm({ entered, onEnter, onCancel }: ChangeFormProps) {
  const [error, setError] = useState<string>()
  const before = entered?.kind === 'metadata' ? entered : undefined
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const value = String(data.get('value') ?? '').trim()
    if (!isTableMetadataAllowed(value)) return setError('Only letters, digits, and spaces are allowed.')
    onEnter({ kind: 'metadata', field: String(data.get('field')) as MetadataField, value: value || null })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <NativeSelect name="field" label="Field" data={fields} defaultValue={before?.field} data-autofocus />
        <TextInput
          name="value"
          label="Value"
          description="Leave empty to remove the current value"
          defaultValue={before?.value ?? ''}
          error={error}
          maxLength={metadataMaxLength}
          autoComplete="off"
        />
        <FormActions action="Preview" pending={false} onCancel={onCancel} />
      </Stack>
    </form>
  )
}
