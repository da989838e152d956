import { afterEach, expect, test, vi } from 'vitest'
import { takeEarlyAnswer } from './early-answers.ts'

const url = '/api/verify-token/'
const response = Promise.resolve(new Response('{}'))
const asked = (access: string | undefined, tenant?: string) =>
  vi.stubGlobal('window', { earlyAnswers: { [url]: { access, tenant, response } } })
afterEach(() => vi.unstubAllGlobals())

test('an answer is handed over once', () => {
  asked('token', 'microcom')
  expect(takeEarlyAnswer(url, { access: 'token', tenant: 'microcom' })).toBe(response)
  expect(takeEarlyAnswer(url, { access: 'token', tenant: 'microcom' })).toBeUndefined()
})

test('what was asked for by another person or of another tenant is nobody’s', () => {
  for (const [access, tenant] of [
    ['other', 'microcom'],
    ['token', 'dishboard'],
    [null, 'microcom'],
  ] as const) {
    asked('token', 'microcom')
    expect(takeEarlyAnswer(url, { access, tenant })).toBeUndefined()
  }
  asked(undefined)
  expect(takeEarlyAnswer(url, { access: null, tenant: undefined })).toBe(response)
})

test('what nobody took in time is old', () => {
  asked('token')
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(takeEarlyAnswer(url, { access: 'token', tenant: undefined })).toBeUndefined()
  vi.restoreAllMocks()
})

test('without a page that asks, nothing is there', () => {
  vi.stubGlobal('window', {})
  expect(takeEarlyAnswer(url, { access: null, tenant: undefined })).toBeUndefined()
})
