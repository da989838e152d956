import { authentication } from '#server/process/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { GatedClient } from '#server/testing/gated-client.ts'
import { startTestPostgres } from '#server/testing/postgres.ts'
import { listRevocations, openRaces, type Races, writeCalls } from '#server/testing/races.ts'
import { startSeededTenants } from '#server/testing/seeded-tenants.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, exactly } from '../figure.ts'
import type { Proof } from '../proof.ts'

/** Every eleventh race: 11 and the numbers of revocations are coprime, so that each of them is tried. */
const EVERY_NTH = { short: 11, full: 1 }

const openAll = async (socketDir: string) => {
  const test = await createTestDatabase({ socketDir, pool: { Client: GatedClient } })
  const tenants = await startSeededTenants(test)
  const races = await openRaces(tenants, test.superuser)
  const close = onCleanup(async () => {
    await races.close()
    await tenants.close()
  })
  return { races, close }
}

/** Every call, stopped before each of its transactions and before each commit, against every revocation. */
const listRaces = async (races: Races) => {
  const explored = []
  for (const [name, route] of writeCalls) explored.push({ name, route, ...(await races.explore(name, route)) })
  const all = explored.flatMap(({ name, route, stops }) =>
    stops.flatMap((stop) => listRevocations(name, route).map((revocation) => ({ name, route, stop, revocation }))),
  )
  return { all, writing: explored.filter(({ changes }) => changes.length > 0).length }
}

const runAll = async (
  races: Races,
  chosen: Awaited<ReturnType<typeof listRaces>>['all'],
  report: (fault: string) => void,
) => {
  const count = { refused: 0, waited: 0, faults: 0 }
  for (const { name, route, stop, revocation } of chosen) {
    const { isRevokedFirst, faults } = await races.run(name, route, revocation, stop)
    count[isRevokedFirst ? 'refused' : 'waited'] += 1
    if (faults.length > 0) count.faults += 1
    for (const fault of faults) report(`${name}, ${stop.statement} ${stop.transaction}, ${revocation}: ${fault}`)
  }
  return count
}

const signInRaces = async (races: Races, report: (fault: string) => void) => {
  let count = 0
  for (const revocation of ['deleted', 'password reset'] as const)
    for (const transaction of [1, 2])
      for (const statement of ['begin', 'commit'] as const)
        for (const fault of await races.runSignIn(revocation, { statement, transaction })) {
          count += 1
          report(`sign-in, ${statement} ${transaction}, ${revocation}: ${fault}`)
        }
  return count
}

/** The same races without the check. If none wrote after the revocation, they could never find a fault. */
const countFaultsUnchecked = async (socketDir: string) => {
  const { readSession } = authentication
  authentication.readSession = async (_, session) => session
  const { races, close } = await openAll(socketDir)
  let faults = 0
  for (const [name, route] of writeCalls)
    faults += Math.min(
      1,
      (await races.run(name, route, 'session ended', { statement: 'begin', transaction: 1 })).faults.length,
    )
  await close()
  authentication.readSession = readSession
  return faults
}

export const races: Proof = {
  name: 'races',
  about:
    'No call writes for a user after an administrator has deleted, demoted or moved them, ended their session, revoked their token or reset their password while it ran, or after they signed in with a mailed password.',
  run: async ({ form, log }) => {
    const postgres = await startTestPostgres()
    onCleanup(postgres.stop)
    const { races, close } = await openAll(postgres.socketDir)
    const { all, writing } = await listRaces(races)
    const chosen = all.filter((_, at) => at % EVERY_NTH[form] === 0)
    log(`${chosen.length} races`)
    const count = await runAll(races, chosen, log)
    const signInFaults = await signInRaces(races, log)
    await close()
    log('without the check')
    const unchecked = await countFaultsUnchecked(postgres.socketDir)
    return [
      exactly(
        'calls that write for a signed-in user, of them raced',
        new Set(all.map(({ name }) => name)).size,
        writeCalls.length,
      ),
      // Two need a phone number and its code, one a passkey, one a second factor, and one writes nothing.
      atLeast('of them, calls that change rows when nobody interferes', writing, writeCalls.length - 5),
      atLeast(
        'races of a call, stopped at each transaction, with each revocation',
        chosen.length,
        (writeCalls.length * 10) / EVERY_NTH[form],
      ),
      atLeast('races in which the revocation came first', count.refused, chosen.length / 4),
      atLeast('races in which the revocation waited for the call', count.waited, chosen.length / 8),
      exactly('races in which something was written after the revocation, or failed', count.faults, 0),
      exactly('sign-ins with the old password that left a session', signInFaults, 0),
      atLeast('calls that write after a revocation if the check is removed', unchecked, writeCalls.length / 2),
    ]
  },
}
