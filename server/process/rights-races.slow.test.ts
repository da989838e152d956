import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import { everyCall } from '../testing/access-walk.ts'
import { createTestDatabase } from '../testing/database.ts'
import { GatedClient } from '../testing/gated-client.ts'
import { listRevocations, openRaces, type Races, type Revocation, writeCalls } from '../testing/races.ts'
import { type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'

let tenants: SeededTenants
let races: Races
beforeAll(async () => {
  const test = await createTestDatabase({ pool: { Client: GatedClient } })
  tenants = await startSeededTenants(test)
  races = await openRaces(tenants, test.superuser)
})
afterAll(async () => {
  await races.close()
  await tenants.close()
})

const cases = writeCalls.map(([name, route], at) => {
  const revocations = listRevocations(name, route)
  return { name, route, revocation: revocations[at % revocations.length] as Revocation }
})

// `npm run proof -- races` tests each call against each revocation at each point; this tests each call once.
test.each(cases)('$name, then $revocation: writes nothing', async ({ name, route, revocation }) => {
  const stop = { statement: 'begin', transaction: 1 } as const
  expect(await races.run(name, route, revocation, stop)).toEqual({ isRevokedFirst: true, faults: [] })
})

const tokenCases = writeCalls
  .filter(([name, route]) => listRevocations(name, route).includes('token revoked'))
  .map(([name, route]) => ({ name, route }))

test.each(tokenCases)('$name, then its token revoked: writes nothing', async ({ name, route }) => {
  const stop = { statement: 'begin', transaction: 1 } as const
  expect(await races.run(name, route, 'token revoked', stop)).toEqual({ isRevokedFirst: true, faults: [] })
})

const long = [
  ['users.importCsv', 'deleted'],
  ['profile.resetPassword', 'password reset'],
] as const

test.each(long)('%s and %s: whoever commits first wins, at every point', async (name, revocation) => {
  const route = everyCall.find(([each]) => each === name)?.[1] as Route
  const { stops, changes } = await races.explore(name, route)
  expect(stops.length).toBeGreaterThanOrEqual(4)
  expect(changes).toContain('public.users')
  const outcomes = []
  for (const stop of stops) outcomes.push(await races.run(name, route, revocation, stop))
  expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
  // Before its last commit the call holds the lock that the revocation waits for.
  expect(outcomes.at(-1)).toEqual({ isRevokedFirst: false, faults: [] })
})

test.each(['deleted', 'password reset'] as const)(
  'a sign-in with the old password leaves no session after the user was %s',
  async (revocation) => {
    for (const transaction of [1, 2])
      for (const statement of ['begin', 'commit'] as const)
        expect(await races.runSignIn(revocation, { statement, transaction })).toEqual([])
  },
)

test('only what does not depend on the rights of the user is done without checking them', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'platform/context.ts',
  )
  const unguarded = files.filter((file) => readFileSync(`server/${file}`, 'utf8').includes('.unguarded'))
  expect(unguarded.sort()).toEqual(['commands/send-command.ts', 'plans/routes.ts'])
})
