import { expect, test } from 'vitest'
import { focusFirstError, listErrors } from './form-errors.ts'

test('each field has its first message', () => {
  const issues = [
    { path: ['name'], message: 'Too short.' },
    { path: ['name'], message: 'Not a name.' },
    { path: ['rules', 0, 'value'], message: 'Missing.' },
  ]
  expect(listErrors(issues)).toEqual({ name: 'Too short.', rules: 'Missing.' })
})

test('the focus goes to the topmost field with an error', () => {
  const focused: string[] = []
  const elements = ['name', 'url', 'target'].map((name) => ({ name, focus: () => focused.push(name) }))
  focusFirstError({ elements } as unknown as HTMLFormElement, { target: 'Missing.', url: 'Not a URL.' })
  expect(focused).toEqual(['url'])
})
