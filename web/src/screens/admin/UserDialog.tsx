import { Button, Group, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { personalData } from '#contract/personal-data.ts'
import { type User, users } from '#contract/users.ts'
import { call, getErrorMessage } from '../../api.ts'
import { GroupField } from '../../parts/GroupField.tsx'
import { savePersonalData } from '../../parts/save-personal-data.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { focusFirstError } from '../../ui/form-errors.ts'
import { notice } from '../../ui/notice.ts'
import { EraseQuestion } from './EraseQuestion.tsx'
import { checkUserForm, type UserFields } from './user-form.ts'
import { useUserChange } from './users.ts'

const sameEmail = 'Error creating user. A user with the same email exists.'

interface UserDialogProps {
  /** The user to edit; 'new' to create one. */
  user: User | 'new'
  onClose: () => void
}

export function UserDialog({ user, onClose }: UserDialogProps) {
  return (
    <Dialog onClose={onClose} title={user === 'new' ? 'Create User' : 'Edit User'} centered size="md">
      <UserForm user={user} onDone={onClose} onCancel={onClose} />
    </Dialog>
  )
}

function UserForm({ user, onDone, onCancel }: { user: User | 'new'; onDone: () => void; onCancel: () => void }) {
  const isNew = user === 'new'
  const [errors, setErrors] = useState<Partial<Record<keyof UserFields, string>>>({})
  const change = useUserChange((fields: UserFields) =>
    isNew
      ? call(users.create, fields)
      : call(users.update, { ...fields, user_id: user.user_id, initialPassword: fields.initialPassword || null }),
  )
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = Object.fromEntries(new FormData(form)) as unknown as UserFields
    const found = checkUserForm(fields, isNew)
    setErrors(found)
    if (Object.keys(found).length > 0) return focusFirstError(form, found)
    await change.mutateAsync(fields).then(
      ({ email }) => {
        notice.success(isNew ? `${email} was created.` : `${email} was changed.`)
        onDone()
      },
      (error: unknown) => {
        if (!isPasswordRefused(error)) return
        const refused = { initialPassword: getErrorMessage(error) }
        setErrors(refused)
        focusFirstError(form, refused)
      },
    )
  }
  const before = isNew ? undefined : user
  const failure = change.error && describeFailure(change.error, isNew)
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <TextInput
          name="email"
          type="email"
          label="Email"
          required
          defaultValue={before?.email}
          error={errors.email}
          data-autofocus
          autoComplete="off"
        />
        <GroupField
          name="username"
          description="The customer whose service lines this user sees"
          defaultValue={before?.username}
          error={errors.username}
        />
        <TextInput
          name="customerName"
          label="Customer Name"
          required
          defaultValue={before?.customerName}
          error={errors.customerName}
          autoComplete="off"
        />
        <TextInput
          name="company"
          label="Company"
          required
          defaultValue={before?.company}
          error={errors.company}
          autoComplete="off"
        />
        <PasswordInput
          name="initialPassword"
          label="Initial Password"
          description={
            isNew
              ? 'Works for 14 days if nobody signs in with it'
              : 'Leave empty to keep the current one. A new one signs the user out, revokes their API tokens and works for 14 days if nobody signs in with it'
          }
          required={isNew}
          error={errors.initialPassword}
          autoComplete="new-password"
        />
        <NativeSelect
          name="role"
          label="Role"
          required
          data={['user', 'admin']}
          defaultValue={before?.role ?? 'user'}
          error={errors.role}
        />
        {before && <PersonalDataButtons user={before} onErased={onDone} />}
        <FormActions
          action={isNew ? 'Create User' : 'Save Changes'}
          pending={change.isPending}
          failure={failure}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

function PersonalDataButtons({ user, onErased }: { user: User; onErased: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const download = useMutation({
    mutationFn: () => call(personalData.userData, { user_id: user.user_id }),
    onSuccess: savePersonalData,
    onError: (error) => notice.error(getErrorMessage(error)),
  })
  return (
    <Group gap="xs">
      <Button variant="default" flex="1 0 auto" loading={download.isPending} onClick={() => download.mutate()}>
        Download user data
      </Button>
      <Button variant="default" flex="1 0 auto" c="var(--status-offline)" onClick={() => setAsking(true)}>
        Erase user data
      </Button>
      {isAsking && <EraseQuestion user={user} onErased={onErased} onClose={() => setAsking(false)} />}
    </Group>
  )
}

const isPasswordRefused = (error: unknown) => error instanceof ApiError && error.code === 'common_password'

/** Undefined if the message is shown at its field. */
function describeFailure(error: unknown, isNew: boolean) {
  if (isPasswordRefused(error)) return undefined
  const isConflict = error instanceof ApiError && error.status === 409
  return isNew && isConflict ? sameEmail : getErrorMessage(error)
}
