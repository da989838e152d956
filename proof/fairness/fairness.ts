import { atLeast, atMost, exactly, type Figure } from '../figure.ts'
import { openMultiProcessStack } from '../multi-process/stack.ts'
import { getAdmin, PASSWORD } from '../multi-process/tenants.ts'
import type { Proof } from '../proof.ts'
import { median, quantile } from '../statistics.ts'
import { startFlood } from './flood.ts'
import { sendSignIn } from './send-sign-in.ts'

const ATTACKED = 'alpha'
const NEIGHBOR = 'beta'
const FLOOD_PER_SECOND = 50
const READY_WITHIN_MS = 60_000
const SIGN_INS = { short: 10, full: 200 }
/** The office of the neighbor, which is known after the first sign-in. */
const OFFICE = '203.0.113.7'

/** Signs in at the neighbor, by turns from its office and from a network that it never used. */
const signInAtNeighbor = async (url: string, times: number, subnet: number) => {
  const tookMs: number[] = []
  const failures = new Map<number, number>()
  for (let index = 0; index < times; index++) {
    const address = index % 2 === 0 ? OFFICE : `198.18.${subnet}.${(index % 250) + 1}`
    const credentials = { tenantId: NEIGHBOR, email: getAdmin(NEIGHBOR), password: PASSWORD }
    const response = await sendSignIn(url, address, credentials)
    if (response.status === 200) tookMs.push(response.tookMs)
    else failures.set(response.status, (failures.get(response.status) ?? 0) + 1)
  }
  return { tookMs, failures }
}

const formatTimes = (values: number[]) =>
  `median ${median(values).toFixed(0)}, p95 ${quantile(values, 0.95).toFixed(0)} ms`

export const fairness: Proof = {
  name: 'fairness',
  about:
    'Fifty wrong sign-ins a second at one tenant, each from another network, do not stop sign-ins at another tenant.',
  run: async ({ form, log }): Promise<Figure[]> => {
    const stack = await openMultiProcessStack({ terminals: 1 })
    const server = await stack.child('serve', 'serve')
    await server.untilReady(READY_WITHIN_MS)
    const times = SIGN_INS[form]
    // The first sign-ins are slower: query plans, and code that is not compiled yet.
    await signInAtNeighbor(server.url, 6, 1)

    const alone = await signInAtNeighbor(server.url, times, 2)
    log(`alone: ${formatTimes(alone.tookMs)}`)
    const flood = startFlood(server.url, ATTACKED, FLOOD_PER_SECOND)
    await flood.untilAnswered(FLOOD_PER_SECOND)
    const beside = await signInAtNeighbor(server.url, times, 3)
    const { perSecond, statuses } = await flood.stop()
    log(`beside the flood: ${formatTimes(beside.tookMs)}`)
    for (const [status, count] of statuses) log(`flood: ${count} times ${status}`)

    for (const { failures } of [alone, beside])
      for (const [status, count] of failures) log(`neighbor: ${count} times ${status}`)
    const busy = beside.failures.get(503) ?? 0
    return [
      { ...atLeast('wrong sign-ins a second at one tenant', perSecond, 0.9 * FLOOD_PER_SECOND), timed: true },
      { ...atLeast('of them refused because the queue was full', statuses.get(503) ?? 0, 1), timed: true },
      exactly(`of ${times} sign-ins at the other tenant, answered with 503`, busy, 0),
      exactly('failed otherwise', 2 * times - alone.tookMs.length - beside.tookMs.length - busy, 0),
      atMost(
        'sign-in at the other tenant, against the same without the flood, median',
        median(beside.tookMs) / median(alone.tookMs),
        2,
        'times',
      ),
      exactly('exits of the process', server.exits(), 0),
    ]
  },
}
