import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathNames, type Route } from '#contract/route.ts'
import { everyCall, openAccessWalk } from '../testing/access-walk.ts'
import { type Caller, callers } from '../testing/callers.ts'
import { expectedResponses } from '../testing/expected-responses.ts'
import { findMarks } from '../testing/marks.ts'
import { type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'

let tenants: SeededTenants
let walk: Awaited<ReturnType<typeof openAccessWalk>>

beforeAll(async () => {
  tenants = await startSeededTenants()
  walk = await openAccessWalk(tenants)
})
afterAll(() => tenants.close())

test('lists an expected response for every call of the contract, and for no other', () => {
  expect(Object.keys(expectedResponses).sort()).toEqual(everyCall.map(([name]) => name).sort())
})

test('shows the marked data to callers who may see it', async () => {
  const details = everyCall.find(([name]) => name === 'terminals.details')?.[1] as Route
  const shownTo = async (caller: Caller) => findMarks((await walk.callAs(caller, details, {})).text)
  expect(await shownTo('admin')).toEqual(['north', 'south', 'shared', 'metadata'])
  expect(await shownTo('with')).toEqual(['north', 'metadata'])
  expect(await shownTo('without')).toEqual(['north'])
  expect(await shownTo('other tenant')).toEqual(['foreign', 'metadata'])
})

describe.each(everyCall)('%s', (name, route) => {
  test.each(callers)('returns the expected status to %s, and no data of others', async (caller) => {
    expect(await walk.findFaults(name, route, caller)).toEqual([])
  })
})

test('returns the same body for an unknown line as for a line of others', async () => {
  for (const [name, route] of everyCall.filter(([, { path }]) => /:(nickname|kitnumber)/.test(path))) {
    const input = (await expectedResponses[name]?.input?.(tenants, 'with')) as Record<string, unknown>
    const key = pathNames(route.path).find((each) => each === 'nickname' || each === 'kitnumber') as string
    const responses = []
    for (const line of [tenants.lines.south.line, tenants.lines.foreign.line, 'no such line']) {
      const { status, text } = await walk.callAs('with', route, { ...input, [key]: line })
      responses.push({ status, body: text.slice(0, text.lastIndexOf('}{') + 1) })
    }
    expect(responses, name).toEqual(Array(3).fill({ ...responses[2], status: 403 }))
  }
})
