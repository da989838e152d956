import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  type NewView,
  type SavedView,
  type ViewAudience,
  type ViewPage,
  type ViewState,
  viewNameMaxLength,
} from '#contract/saved-views.ts'
import { useIsAdmin } from '../../session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { focusFirstError } from '../../ui/form-errors.ts'
import { GroupField } from '../GroupField.tsx'

interface ViewDialogProps {
  page: ViewPage
  /** The view to rename or share; undefined to save a new one. */
  view: SavedView | undefined
  getShown: () => ViewState
  pending: boolean
  failure: string | null
  onSave: (view: NewView) => void
  onClose: () => void
}

const audiences: { value: ViewAudience; label: string }[] = [
  { value: 'nobody', label: 'Only me' },
  { value: 'group', label: 'A group' },
  { value: 'everyone', label: 'Everyone' },
]

/** The name of a view and, for administrators, its audience. */
export function ViewDialog({ page, view, getShown, pending, failure, onSave, onClose }: ViewDialogProps) {
  const isAdmin = useIsAdmin()
  const [audience, setAudience] = useState<ViewAudience>(view?.audience ?? 'nobody')
  const [errors, setErrors] = useState<{ name?: string; group?: string }>({})
  const [shown] = useState(getShown)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const name = String(data.get('name')).trim()
    const group = String(data.get('group') ?? '').trim()
    const found = {
      ...(name === '' && { name: 'This field is required.' }),
      ...(audience === 'group' && group === '' && { group: 'Please choose a group.' }),
    }
    setErrors(found)
    if (Object.keys(found).length > 0) return focusFirstError(form, found)
    const { map, ...rest } = shown
    const state = view?.state ?? { ...rest, ...(data.get('map') !== null && map && { map }) }
    onSave({ name, page: view?.page ?? page, state, audience, group: audience === 'group' ? group : null })
  }
  return (
    <Dialog onClose={onClose} title={view ? `Change “${view.name}”` : 'Save view'} centered>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            name="name"
            label="Name"
            defaultValue={view?.name}
            error={errors.name}
            maxLength={viewNameMaxLength}
            required
            data-autofocus
            autoComplete="off"
          />
          {!view && shown.map !== undefined && (
            <Checkbox
              name="map"
              label="With this part of the map"
              description="Without it, the map shows all terminals that match"
              defaultChecked
            />
          )}
          {isAdmin && (
            <NativeSelect
              label="Who sees it"
              value={audience}
              onChange={({ currentTarget }) => setAudience(currentTarget.value as ViewAudience)}
              data={audiences}
            />
          )}
          {isAdmin && audience === 'group' && <GroupField defaultValue={view?.group ?? ''} error={errors.group} />}
          <FormActions action="Save" pending={pending} failure={failure} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
