import * as z from 'zod/mini'
import { Done, NoInput } from './answer.ts'
import { id } from './codecs.ts'
import { Email, NewPassword } from './credentials.ts'
import { Role } from './identity.ts'
import { route } from './route.ts'
import { requiredLine, requiredText, text } from './text.ts'

/** `username` is the group the person belongs to; pages label it GroupID. The initial password is never readable. */
const User = z.object({
  user_id: id,
  email: z.string(),
  username: z.string(),
  customerName: z.string(),
  company: z.string(),
  role: Role,
})
export type User = z.output<typeof User>

const userForm = {
  email: Email,
  username: requiredLine(100),
  customerName: requiredLine(200),
  company: requiredLine(200),
}

export const CreateUser = z.strictObject({ ...userForm, initialPassword: NewPassword, role: Role })
export type CreateUser = z.output<typeof CreateUser>

/** An edit form sends the password field along; left empty it changes nothing. */
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

/** E-mail addresses of the people to be told. */
// @__NO_SIDE_EFFECTS__
function chosenUsers() {
  return z
    .array(Email)
    .check(z.minLength(1, 'Please select at least one user.'), z.maxLength(10_000, 'These are too many users.'))
}

export const users = {
  list: route({
    method: 'GET',
    path: '/get-users/',
    access: 'admin',
    summary: 'The people of the tenant',
    input: NoInput,
    output: z.array(User),
  }),
  create: route({
    method: 'POST',
    path: '/create-user/',
    access: 'admin',
    summary: 'Create a person',
    input: CreateUser,
    output: User,
  }),
  update: route({
    method: 'PUT',
    path: '/update-user/:user_id/',
    access: 'admin',
    summary: 'Change a person',
    input: UpdateUser,
    output: User,
  }),
  remove: route({
    method: 'DELETE',
    path: '/delete-user/:user_id/',
    access: 'admin',
    summary: 'Delete a person and end their sessions',
    input: z.strictObject({ user_id: id }),
    output: Done,
  }),
  notify: route({
    method: 'POST',
    path: '/admin-notification/',
    access: 'admin',
    summary: 'Send a message to chosen people',
    input: z.strictObject({ message: requiredText(5000), users: chosenUsers() }),
    output: Done,
  }),
}
