import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { flag, id, moment } from './codecs.ts'
import { Email, NewPassword, UserEmail } from './credentials.ts'
import { Role } from './identity.ts'
import { route } from './route.ts'
import { requiredLine, requiredText, text } from './text.ts'

/** `username` is the group that the user belongs to; pages label it GroupID. The initial password is never readable. */
const User = z.object({
  user_id: id,
  email: z.string(),
  username: z.string(),
  customerName: z.string(),
  company: z.string(),
  role: Role,
  /** The number of browsers in which the user is signed in, and the time of the last sign-in. */
  activeSessions: z.number(),
  lastSignIn: z.nullable(moment),
  /** When the initial password expires; null once it has been used or replaced. */
  initialPasswordExpires: z.nullable(moment),
  /** Whether a sign-in asks for an authenticator app or a passkey. */
  hasSecondFactor: z.boolean(),
})
export type User = z.output<typeof User>

const userForm = {
  email: UserEmail,
  username: requiredLine(100),
  customerName: requiredLine(200),
  company: requiredLine(200),
}

export const CreateUser = z.strictObject({ ...userForm, initialPassword: NewPassword, role: Role })
export type CreateUser = z.output<typeof CreateUser>

/** An edit form always sends the password field. Empty means unchanged. */
const OptionalNewPassword = z.codec(z.nullable(text(128)), z.nullable(NewPassword), {
  decode: (value) => value || null,
  encode: (value) => value,
})

export const UpdateUser = z.strictObject({
  user_id: id,
  ...userForm,
  role: z.optional(Role),
  initialPassword: z.optional(OptionalNewPassword),
})
export type UpdateUser = z.output<typeof UpdateUser>

/** Email addresses of the users to notify. */
// @__NO_SIDE_EFFECTS__
function chosenUsers() {
  return z
    .array(Email)
    .check(z.minLength(1, 'Please select at least one user.'), z.maxLength(10_000, 'These are too many users.'))
}

/** What an import does, or would do, with one line of the file. */
const ImportLine = z.object({
  /** Counted as in a text editor: the header is line 1. */
  line: z.number(),
  email: z.string(),
  outcome: z.enum(['create', 'change', 'none', 'fault']),
  /** The changes, or the errors. */
  text: z.string(),
})
export type ImportLine = z.output<typeof ImportLine>

const ImportUsers = z.strictObject({
  csv: text(700_000),
  /** When absent or false, the import is only previewed. */
  apply: z.optional(flag),
  /** The `plan` of the preview that the user confirmed. If the result would be different now, nothing is imported. */
  plan: z.optional(text(64)),
})

export const users = {
  list: route({
    method: 'GET',
    path: '/get-users/',
    access: 'admin',
    summary: 'The users of the tenant',
    input: NoInput,
    output: z.array(User),
  }),
  create: route({
    method: 'POST',
    path: '/create-user/',
    access: 'admin',
    summary: 'Create a user',
    input: CreateUser,
    output: User,
  }),
  update: route({
    method: 'PUT',
    path: '/update-user/:user_id/',
    access: 'admin',
    summary: 'Change a user',
    input: UpdateUser,
    output: User,
  }),
  remove: route({
    method: 'DELETE',
    path: '/delete-user/:user_id/',
    access: 'admin',
    summary: 'Delete a user and end their sessions',
    input: z.strictObject({ user_id: id }),
    output: Done,
  }),
  groups: route({
    method: 'GET',
    path: '/user-groups/',
    access: 'admin',
    summary: 'The groups of the tenant: those that users or service lines belong to',
    input: NoInput,
    output: z.object({ groups: z.array(z.string()) }),
  }),
  endSessions: route({
    method: 'POST',
    path: '/end-user-sessions/:user_id/',
    access: 'admin',
    summary: 'Sign a user out everywhere',
    input: z.strictObject({ user_id: id }),
    output: Done,
  }),
  resetFactors: route({
    method: 'POST',
    path: '/reset-user-factors/:user_id/',
    access: 'admin',
    summary: 'Remove the second factors of a user who has lost them, and sign the user out',
    input: z.strictObject({ user_id: id }),
    output: Done,
  }),
  importCsv: route({
    method: 'POST',
    path: '/import-users/',
    access: 'admin',
    summary: 'Create and change users from a CSV file, all or nothing; without `apply` only previews the result',
    maxBodyBytes: 1024 * 1024,
    input: ImportUsers,
    output: z.object({ applied: z.boolean(), plan: z.string(), lines: z.array(ImportLine) }),
  }),
  notify: route({
    method: 'POST',
    path: '/admin-notification/',
    access: 'admin',
    summary: 'Send a message to chosen users',
    maxBodyBytes: 1024 * 1024,
    input: z.strictObject({ message: requiredText(5000), users: chosenUsers() }),
    output: Done,
  }),
}
