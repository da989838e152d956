import { expect, test } from 'vitest'
import { focusFirstError, listErrors, splitFieldError } from './form-errors.ts'

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

test('a message of the server goes to the field that it names, and others stay whole', () => {
  expect(splitFieldError('url: the port must be 443.', ['url'])).toEqual({ url: 'The port must be 443.' })
  expect(splitFieldError('name: Too short.', ['url'])).toEqual({})
  expect(splitFieldError('Please wait: too many tries.', ['url'])).toEqual({})
})
