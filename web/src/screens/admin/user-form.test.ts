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

it('every field is required of a new person, and only the password may stay empty in an edit', () => {
  expect(checkUserForm(right, true)).toEqual({})
  const empty = { ...right, email: '', username: ' ', customerName: '', company: '', initialPassword: '' }
  const required = 'This field is required.'
  const others = { email: required, username: required, customerName: required, company: required }
  expect(checkUserForm(empty, true)).toEqual({ ...others, initialPassword: required })
  expect(checkUserForm(empty, false)).toEqual(others)
})

it('what is there but cannot be right is told in its own words', () => {
  expect(checkUserForm({ ...right, email: 'nobody', initialPassword: 'short' }, false)).toEqual({
    email: 'Please enter a valid email address.',
    initialPassword: expect.stringMatching(/^New password must contain/),
  })
})
