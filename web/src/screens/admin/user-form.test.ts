import { expect, it } from 'vitest'
import { checkUserForm } from './user-form.ts'

const right = {
  email: 'new@x.example',
  username: 'north',
  customerName: 'New',
  company: 'Company',
  initialPassword: 'Initial-pass-1',
  role: 'user' as const,
}

it('requires every field of a new user, and all but the password in an edit', () => {
  expect(checkUserForm(right, true)).toEqual({})
  const empty = { ...right, email: '', username: ' ', customerName: '', company: '', initialPassword: '' }
  const required = 'This field is required.'
  const others = { email: required, username: required, customerName: required, company: required }
  expect(checkUserForm(empty, true)).toEqual({ ...others, initialPassword: required })
  expect(checkUserForm(empty, false)).toEqual(others)
})

it('reports invalid values with messages of their own', () => {
  expect(checkUserForm({ ...right, email: 'nobody', initialPassword: 'short' }, false)).toEqual({
    email: 'Please enter a valid email address.',
    initialPassword: expect.stringMatching(/^New password must contain/),
  })
})
