import { afterEach, expect, test, vi } from 'vitest'
import { takePrefetchedResponse } from './prefetched-responses.ts'

const url = '/api/verify-token/'
const response = Promise.resolve(new Response('{}'))
const prefetch = (access: string | undefined, tenant?: string, ageMs = 0) => {
  vi.stubGlobal('window', { prefetchedResponses: { [url]: { access, tenant, response } } })
  vi.stubGlobal('performance', { now: () => ageMs })
}
afterEach(() => vi.unstubAllGlobals())

test('hands a response over once', () => {
  prefetch('token', 'microcom')
  expect(takePrefetchedResponse(url, { access: 'token', tenant: 'microcom' })).toBe(response)
  expect(takePrefetchedResponse(url, { access: 'token', tenant: 'microcom' })).toBeUndefined()
})

test('drops a response that was requested with another token or for another tenant', () => {
  for (const [access, tenant] of [
    ['other', 'microcom'],
    ['token', 'dishboard'],
    [null, 'microcom'],
  ] as const) {
    prefetch('token', 'microcom')
    expect(takePrefetchedResponse(url, { access, tenant })).toBeUndefined()
  }
  prefetch(undefined)
  expect(takePrefetchedResponse(url, { access: null, tenant: undefined })).toBe(response)
})

test('drops a response that was not taken in time', () => {
  prefetch('token', undefined, 60_000)
  expect(takePrefetchedResponse(url, { access: 'token', tenant: undefined })).toBeUndefined()
})

test('returns nothing when the page prefetched nothing', () => {
  vi.stubGlobal('window', {})
  expect(takePrefetchedResponse(url, { access: null, tenant: undefined })).toBeUndefined()
})
