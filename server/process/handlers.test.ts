import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { createHandlers } from './handlers.ts'

test('every call of the contract has a handler', () => {
  const names = Object.entries(api).flatMap(([table, calls]) => Object.keys(calls).map((call) => [table, call]))
  const handlers = createHandlers({} as Fleet)
  const findHandler = ([table, call]: string[]) =>
    (handlers as Record<string, Record<string, unknown>>)[table as string]?.[call as string]
  expect(names.filter((name) => findHandler(name) === undefined)).toEqual([])
})
