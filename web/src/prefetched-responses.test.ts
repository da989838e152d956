import { afterEach, expect, test, vi } from 'vitest'
import { takePrefetchedResponse } from './prefetched-responses.ts'

const url = '/api/verify-token/'
const response = Promise.resolve(new Response('{}'))
const asked = (access: string | undefined, tenant?: string) =>
  vi.stubGlobal('window', { prefetchedResponses: { [url]: { access, tenant, response } } })
afterEach(() => vi.unstubAllGlobals())

test('an answer is handed over once', () => {
  asked('token', 'microcom')
  expect(takePrefetchedResponse(url, { access: 'token', tenant: 'microcom' })).toBe(response)
  expect(takePrefetchedResponse(url, { access: 'token', tenant: 'microcom' })).toBeUndefined()
})

test('what was asked for by another person or of another tenant is nobody’s', () => {
  for (const [access, tenant] of [
    ['other', 'microcom'],
    ['token', 'dishboard'],
    [null, 'microcom'],
  ] as const) {
    asked('token', 'microcom')
    expect(takePrefetchedResponse(url, { access, tenant })).toBeUndefined()
  }
  asked(undefined)
  expect(takePrefetchedResponse(url, { access: null, tenant: undefined })).toBe(response)
})

test('what nobody took in time is old', () => {
  asked('token')
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(takePrefetchedResponse(url, { access: 'token', tenant: undefined })).toBeUndefined()
  vi.restoreAllMocks()
})

test('without a page that asks, nothing is there', () => {
  vi.stubGlobal('window', {})
  expect(takePrefetchedResponse(url, { access: null, tenant: undefined })).toBeUndefined()
})
