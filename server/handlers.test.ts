import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { handlers } from './handlers.ts'
import { pending } from './http.ts'

/** What is described and not built yet. A call that is built leaves this list; nothing else may join it. */
const NOT_BUILT: string[] = []

test('every call of the contract has a handler, and those that answer 501 are known', () => {
  const names = Object.entries(api).flatMap(([table, calls]) => Object.keys(calls).map((call) => [table, call]))
  const handlerOf = ([table, call]: string[]) =>
    (handlers as Record<string, Record<string, unknown>>)[table as string]?.[call as string]
  expect(names.filter((name) => handlerOf(name) === undefined)).toEqual([])
  const notBuilt = names.filter((name) => handlerOf(name) === pending).map((name) => name.join('.'))
  expect(notBuilt.sort()).toEqual(NOT_BUILT)
})
