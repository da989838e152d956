import { expect, test } from 'vitest'
import { explainFileError } from './startup-error.ts'

const fault = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

test('a read-only disk is named however Node reports it', () => {
  for (const error of [fault('EROFS', 'open'), fault('ENOENT', 'mkdir')])
    expect(explainFileError(error, '/srv/data')).toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('The data folder /srv/data is on a read-only disk.'),
    })
  const missing = fault('ENOENT', 'open')
  expect(explainFileError(missing, '/srv/data')).toBe(missing)
})
