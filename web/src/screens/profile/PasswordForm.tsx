import { Button, PasswordInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isPasswordAllowed, newPasswordMessage } from '#contract/credentials.ts'
import { ApiError } from '#contract/errors.ts'
import { profile } from '#contract/profile.ts'
import { call } from '../../api.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { ownSessionsQuery } from './profile.ts'

const failed = 'An error occurred while resetting your password. Please try again.'

interface PasswordFields {
  currentPassword: string
  newPassword: string
  confirmPassword: string
}

const required = 'This field is required.'

function checkPasswordForm(fields: PasswordFields): Partial<PasswordFields> {
  const names = ['currentPassword', 'newPassword', 'confirmPassword'] as const
  const empty = names.filter((name) => fields[name] === '')
  if (empty.length > 0) return Object.fromEntries(empty.map((name) => [name, required]))
  if (fields.newPassword !== fields.confirmPassword)
    return { confirmPassword: 'New password and confirm password do not match!!' }
  return isPasswordAllowed(fields.newPassword) ? {} : { newPassword: newPasswordMessage }
}

interface PasswordFormProps {
  /** Given where a new password is all that the page asks for. */
  onReset?: (message: string) => void
}

export function PasswordForm({ onReset }: PasswordFormProps) {
  const queries = useQueryClient()
  const [errors, setErrors] = useState<Partial<PasswordFields>>({})
  const reset = useMutation({
    mutationFn: ({ currentPassword, newPassword }: PasswordFields) =>
      call(profile.resetPassword, { currentPassword, newPassword }),
    onSuccess: ({ message }) => {
      onReset?.(message)
      void queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey })
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) return
      const isNew = error.code === 'common_password' || error.code === 'reused_password'
      setErrors({ [isNew ? 'newPassword' : 'currentPassword']: error.message })
    },
  })
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = Object.fromEntries(new FormData(form)) as unknown as PasswordFields
    const found = checkPasswordForm(fields)
    setErrors(found)
    reset.reset()
    const first = Object.keys(found)[0]
    if (first) return (form.elements.namedItem(first) as HTMLElement).focus()
    await reset.mutateAsync(fields).then(
      () => form.reset(),
      () => {},
    )
  }
  const field = (name: keyof PasswordFields) => ({
    name,
    error: errors[name],
    required: true,
    withAsterisk: false,
    mb: 'sm',
    className: classes.input,
  })
  return (
    <Card title="Password">
      <form onSubmit={save} noValidate>
        <PasswordInput {...field('currentPassword')} label="Current Password" autoComplete="current-password" />
        <PasswordInput
          {...field('newPassword')}
          label="New Password"
          description="Not a common password, and none that you used recently"
          autoComplete="new-password"
        />
        <PasswordInput {...field('confirmPassword')} label="Confirm Password" autoComplete="new-password" />
        <p
          role={reset.isError ? 'alert' : 'status'}
          className={classes.message}
          data-good={reset.isSuccess || undefined}
        >
          {reset.isError ? failed : reset.data?.message}
        </p>
        <Button type="submit" variant={onReset ? 'filled' : 'default'} h="var(--touch)" loading={reset.isPending}>
          Reset Password
        </Button>
      </form>
    </Card>
  )
}
