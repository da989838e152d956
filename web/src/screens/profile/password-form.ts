import { isPasswordAllowed, newPasswordMessage } from '#contract/credentials.ts'

export interface PasswordFields {
  currentPassword: string
  newPassword: string
  confirmPassword: string
}

const required = 'This field is required.'

export function checkPasswordForm(fields: PasswordFields): Partial<PasswordFields> {
  const names = ['currentPassword', 'newPassword', 'confirmPassword'] as const
  const empty = names.filter((name) => fields[name] === '')
  if (empty.length > 0) return Object.fromEntries(empty.map((name) => [name, required]))
  if (fields.newPassword !== fields.confirmPassword)
    return { confirmPassword: 'New password and confirm password do not match!!' }
  return isPasswordAllowed(fields.newPassword) ? {} : { newPassword: newPasswordMessage }
}
