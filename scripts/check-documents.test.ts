import { expect, test } from 'vitest'
import { listNames } from './check-documents.mjs'

test('names of code in code spans are found, and those of SQL, settings and paths are not', () => {
  const text =
    'A `RawResponse` of `mount()` by `Context.transaction`, not `set local`, `pg_wal`, `PORT`, `server/process/main.ts` or RawText'
  expect(listNames(text)).toEqual(['RawResponse', 'Context'])
})
