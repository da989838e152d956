import { CreateUser } from '#contract/users.ts'

export type UserFields = CreateUser

/** The errors by field. An edit may leave the password empty. */
export function checkUserForm(fields: UserFields, isNew: boolean): Partial<Record<keyof UserFields, string>> {
  const parsed = CreateUser.safeParse(fields)
  const issues = parsed.success ? [] : parsed.error.issues
  const found: Partial<Record<keyof UserFields, string>> = {}
  for (const { path, message } of issues) {
    const name = path[0] as keyof UserFields
    if (name === 'initialPassword' && fields.initialPassword === '') {
      if (isNew) found[name] ??= 'This field is required.'
    } else found[name] ??= fields[name] === '' ? 'This field is required.' : message
  }
  return found
}
