import { ActionIcon, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isLineTextAllowed, lineTextMessage } from '#contract/service-lines.ts'
import { CheckIcon, PencilIcon } from '../../ui/icons.tsx'
import classes from './EditableText.module.css'

interface EditableTextProps {
  label: string
  value: string | null
  maxLength: number
  canEdit: boolean
  isSaving: boolean
  /** Resolves to whether it was saved; if not, the input stays for a retry. */
  onSave: (value: string) => Promise<boolean>
}

/** A field with a pencil button that starts editing. The checkmark saves, Escape cancels. */
export function EditableText({ label, value, maxLength, canEdit, isSaving, onSave }: EditableTextProps) {
  const [draft, setDraft] = useState<string>()
  const isEditing = draft !== undefined
  const isWrong = isEditing && !isLineTextAllowed(draft)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!isEditing || isWrong || isSaving) return
    const text = draft.trim()
    if (text === (value ?? '') || (await onSave(text))) setDraft(undefined)
  }
  return (
    <form onSubmit={save} noValidate>
      <TextInput
        // A new key remounts the field when editing starts, so that it gets the focus.
        key={String(isEditing)}
        label={label}
        value={draft ?? value ?? ''}
        placeholder="N/A"
        maxLength={maxLength}
        disabled={!isEditing}
        error={isWrong ? lineTextMessage : undefined}
        autoFocus={isEditing}
        autoComplete="off"
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && setDraft(undefined)}
        classNames={{ input: classes.input }}
        rightSectionPointerEvents="all"
        rightSection={
          canEdit &&
          (isEditing ? (
            <ActionIcon
              type="submit"
              variant="subtle"
              aria-label={`Save ${label}`}
              loading={isSaving}
              disabled={isWrong}
              size={32}
            >
              <CheckIcon />
            </ActionIcon>
          ) : (
            <ActionIcon
              variant="subtle"
              aria-label={`Edit ${label}`}
              size={32}
              // Otherwise this click would submit the form once the button is a checkmark.
              onClick={(event) => {
                event.preventDefault()
                setDraft(value ?? '')
              }}
            >
              <PencilIcon />
            </ActionIcon>
          ))
        }
      />
    </form>
  )
}
