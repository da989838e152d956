import { expect, test, vi } from 'vitest'
import { cleanUpAll, onCleanup } from './cleanup.ts'

test('cleanups run once, newest first, even if one fails', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const ended: string[] = []
  onCleanup(() => ended.push('database'))
  const endServer = onCleanup(() => ended.push('server'))
  onCleanup(() => Promise.reject(new Error('gone already')))
  onCleanup(async () => ended.push('browser'))
  await endServer()
  await Promise.all([cleanUpAll(), cleanUpAll()])
  expect(ended).toEqual(['server', 'browser', 'database'])
  expect(errors).toHaveBeenCalledTimes(1)
  errors.mockRestore()
})
