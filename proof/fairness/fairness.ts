import { atLeast, atMost, exactly, type Figure } from '../figure.ts'
import { openMultiProcessStack } from '../multi-process/stack.ts'
import { getAdmin, PASSWORD } from '../multi-process/tenants.ts'
import type { Proof } from '../proof.ts'
import { median, quantile } from '../statistics.ts'
import { startFlood } from './flood.ts'
import { watchProcessors } from './processor-shares.ts'
import { sendSignIn } from './send-sign-in.ts'

const ATTACKED = 'alpha'
const NEIGHBOR = 'beta'
const FLOOD_PER_SECOND = 50
const SIZES = { short: { rounds: 2, signIns: 6 }, full: { rounds: 10, signIns: 20 } }
/** The neighbor's office network, which is known after the first sign-in. */
const OFFICE = '203.0.113.7'

/** Signs in at the neighbor, alternating between its office and a network that it never used. */
const signInAtNeighbor = async (url: string, times: number, subnet: number) => {
  const known: number[] = []
  const unknown: number[] = []
  const failures = new Map<number, number>()
  for (let index = 0; index < times; index++) {
    const isKnown = index % 2 === 0
    const address = isKnown ? OFFICE : `198.18.${subnet}.${(index % 250) + 1}`
    const credentials = { tenantId: NEIGHBOR, email: getAdmin(NEIGHBOR), password: PASSWORD }
    const response = await sendSignIn(url, address, credentials)
    if (response.status === 200) (isKnown ? known : unknown).push(response.tookMs)
    else failures.set(response.status, (failures.get(response.status) ?? 0) + 1)
  }
  return { known, unknown, failures }
}

type Slice = Awaited<ReturnType<typeof signInAtNeighbor>>

const addCounts = (into: Map<number, number>, more: Map<number, number>) => {
  for (const [status, count] of more) into.set(status, (into.get(status) ?? 0) + count)
}

const gather = (slices: Slice[]) => {
  const known = slices.flatMap((slice) => slice.known)
  const unknown = slices.flatMap((slice) => slice.unknown)
  const failures = new Map<number, number>()
  for (const slice of slices) addCounts(failures, slice.failures)
  return { known, unknown, all: [...known, ...unknown], failures }
}

const formatTimes = (values: number[]) =>
  `median ${median(values).toFixed(0)}, p95 ${quantile(values, 0.95).toFixed(0)} ms`

const format = ({ known, unknown }: ReturnType<typeof gather>) =>
  `from the office ${formatTimes(known)}; from a new network ${formatTimes(unknown)}`

export const fairness: Proof = {
  name: 'fairness',
  about:
    'Fifty wrong sign-ins a second at one tenant, each from another network, do not slow down sign-ins at another tenant.',
  run: async ({ form, log }): Promise<Figure[]> => {
    const stack = await openMultiProcessStack({ terminals: 1 })
    const server = await stack.child('serve', 'serve')
    await server.untilReady()
    const { rounds, signIns } = SIZES[form]
    // A warm-up: the first sign-ins are slower because of query plans and code that is not compiled yet.
    await signInAtNeighbor(server.url, 20, 1)

    // Alternating, so that other load on the machine affects both.
    const withoutFlood: Slice[] = []
    const withFlood: Slice[] = []
    const statuses = new Map<number, number>()
    const rates: number[] = []
    for (let round = 0; round < rounds; round++) {
      withoutFlood.push(await signInAtNeighbor(server.url, signIns, 2 + 2 * round))
      const flood = startFlood(server.url, ATTACKED, FLOOD_PER_SECOND)
      await flood.untilFull()
      const readShares = watchProcessors({ server: server.pid(), database: stack.postgresPids })
      withFlood.push(await signInAtNeighbor(server.url, signIns, 3 + 2 * round))
      const { serving, hashing, database, sender } = readShares()
      const stopped = await flood.stop()
      rates.push(stopped.perSecond)
      addCounts(statuses, stopped.statuses)
      log(
        `cores during the flood: ${serving.toFixed(2)} serve, ${hashing.toFixed(2)} hash, ${database.toFixed(2)} the database, ${sender.toFixed(2)} this sender`,
      )
    }
    const alone = gather(withoutFlood)
    const beside = gather(withFlood)
    log(`without the flood: ${format(alone)}`)
    log(`beside the flood: ${format(beside)}`)
    for (const [status, count] of statuses) log(`flood: ${count} times ${status}`)
    for (const { failures } of [alone, beside])
      for (const [status, count] of failures) log(`neighbor: ${count} times ${status}`)

    const sent = rounds * signIns
    const busy = beside.failures.get(503) ?? 0
    const compare = (from: string, kind: 'all' | 'known' | 'unknown') =>
      atMost(
        `sign-in at the other tenant${from}, against the same without the flood, median`,
        median(beside[kind]) / median(alone[kind]),
        2,
        'times',
      )
    return [
      { ...atLeast('wrong sign-ins a second at one tenant', median(rates), 0.9 * FLOOD_PER_SECOND), timed: true },
      { ...atLeast('of them refused because the queue was full', statuses.get(503) ?? 0, 1), timed: true },
      exactly(`of ${sent} sign-ins at the other tenant, answered with 503`, busy, 0),
      exactly('failed otherwise', 2 * sent - alone.all.length - beside.all.length - busy, 0),
      compare('', 'all'),
      compare(' from its office', 'known'),
      compare(' from a new network', 'unknown'),
      exactly('exits of the process', server.exits(), 0),
    ]
  },
}
