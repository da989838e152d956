import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathNames, type Route } from '#contract/route.ts'
import { everyCall, openAccessWalk } from '../testing/access-walk.ts'
import { type Caller, callers, expectedResponses } from '../testing/expected-responses.ts'
import { findMarks, type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'

let world: SeededTenants
let walk: Awaited<ReturnType<typeof openAccessWalk>>

beforeAll(async () => {
  world = await startSeededTenants()
  walk = await openAccessWalk(world)
})
afterAll(() => world.close())

test('every call of the contract has a row, and no row is without a call', () => {
  expect(Object.keys(expectedResponses).sort()).toEqual(everyCall.map(([name]) => name).sort())
})

test('the marks are there to be seen by those who may', async () => {
  const details = everyCall.find(([name]) => name === 'terminals.details')?.[1] as Route
  const shownTo = async (caller: Caller) => findMarks((await walk.callAs(caller, details, {})).text)
  expect(await shownTo('admin')).toEqual(['north', 'south', 'shared', 'metadata'])
  expect(await shownTo('with')).toEqual(['north', 'metadata'])
  expect(await shownTo('without')).toEqual(['north'])
  expect(await shownTo('neighbour')).toEqual(['foreign', 'metadata'])
})

describe.each(everyCall)('%s', (name, route) => {
  test.each(callers)('answers %s as it must, and shows nothing of others', async (caller) => {
    expect(await walk.findFaults(name, route, caller)).toEqual([])
  })
})

test('an unknown line and one of others answer the same, word for word', async () => {
  for (const [name, route] of everyCall.filter(([, { path }]) => /:(nickname|kitnumber)/.test(path))) {
    const input = (await expectedResponses[name]?.input?.(world, 'with')) as Record<string, unknown>
    const key = pathNames(route.path).find((each) => each === 'nickname' || each === 'kitnumber') as string
    const answers = []
    for (const line of [world.lines.south.line, world.lines.foreign.line, 'no such line']) {
      const { status, text } = await walk.callAs('with', route, { ...input, [key]: line })
      answers.push({ status, body: text.slice(0, text.lastIndexOf('}{') + 1) })
    }
    expect(answers, name).toEqual(Array(3).fill({ ...answers[2], status: 403 }))
  }
})
