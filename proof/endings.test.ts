import { expect, test, vi } from 'vitest'
import { atEnd, endAll } from './endings.ts'

test('what was started is ended once, the newest first, though one ending fails', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const ended: string[] = []
  atEnd(() => ended.push('database'))
  const endServer = atEnd(() => ended.push('server'))
  atEnd(() => Promise.reject(new Error('gone already')))
  atEnd(async () => ended.push('browser'))
  await endServer()
  await Promise.all([endAll(), endAll()])
  expect(ended).toEqual(['server', 'browser', 'database'])
  expect(told).toHaveBeenCalledTimes(1)
  told.mockRestore()
})
