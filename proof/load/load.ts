import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, exactly, type Figure, none } from '../figure.ts'
import type { Proof } from '../proof.ts'
import { quantile } from '../statistics.ts'
import { type Browser, createBrowser } from './browser.ts'
import { gatherCrowd } from './crowd.ts'
import { type Customer, settle } from './population.ts'
import { measureSaturation } from './saturation.ts'
import { openSessions, type Session } from './session.ts'
import { startSlowSockets } from './slow-sockets.ts'
import { openStack, type Stack } from './stack.ts'

const TERMINALS = 2_000
const USERS = 200
const SLOW_SOCKETS = { heads: 500, bodies: 500, readers: 400 }
const READERS_PER_SESSION = 10
const PROBES_AT_ONCE = 3

// Times mean little on a shared machine, so their limits are loose in the short form. Limits on counts are not.
const forms = {
  short: {
    crowd: { durationMs: 42_000, arriveMs: 18_000, sampleIntervalMs: 4_000, thinkMs: [2_000, 10_000] },
    terminalsPerGroup: 3,
    limits: { readMs: 1_500, writeMs: 2_000, slower: 5, heapMbPerMinute: 30, longestS: 15 },
    probeMs: 2_000,
    saturation: { connections: 1_000, durationMs: 4_000 },
  },
  full: {
    crowd: { durationMs: 30 * 60_000, arriveMs: 60_000, sampleIntervalMs: 60_000, thinkMs: [2_000, 10_000] },
    terminalsPerGroup: 10,
    limits: { readMs: 300, writeMs: 400, slower: 2, heapMbPerMinute: 0.5, longestS: 15 },
    probeMs: 20_000,
    saturation: { connections: 1_000, durationMs: 20_000 },
  },
} as const

type Size = (typeof forms)[keyof typeof forms]

const crowdFigures = async (
  stack: Stack,
  customers: Customer[],
  { crowd, limits }: Size,
  log: (text: string) => void,
) => {
  const { ledger, heap, heapSlope, slowMoments } = await gatherCrowd(stack, customers, crowd)
  for (const [call, tookMs] of [...ledger.byCall].sort())
    log(
      `${call}: ${tookMs.length} times, p50 ${quantile(tookMs, 0.5).toFixed(1)}, p99 ${quantile(tookMs, 0.99).toFixed(1)} ms`,
    )
  for (const [what, count] of ledger.errors) log(`${count} times ${what}`)
  for (const line of slowMoments) log(line)
  log(`heap after collection, MB: ${heap.map(({ y }) => y.toFixed(1)).join(' ')}`)
  const { read, write } = ledger.tookMs
  return [
    atMost(`${read.length} reads of ${USERS} users, p99`, quantile(read, 0.99), limits.readMs, 'ms'),
    atMost(`${write.length} writes of ${USERS} users, p99`, quantile(write, 0.99), limits.writeMs, 'ms'),
    // A machine without spare CPU rejects requests.
    { ...exactly('errors', ledger.errorCount(), 0), timed: true },
    atMost('heap after collection grows by', heapSlope, limits.heapMbPerMinute, 'MB/min'),
  ]
}

/** Measures the median and the p95 of ordinary calls, with users who send one request after another. */
const probe = async (browser: Browser, nickname: string, durationMs: number) => {
  const tookMs: number[] = []
  const errors = new Map<string, number>()
  let putOff = 0
  const endsAt = performance.now() + durationMs
  const path = `/terminals/${encodeURIComponent(nickname)}/1440/`
  const sendRepeatedly = async () => {
    while (performance.now() < endsAt) {
      const response = await browser.send({ path, body: {} }).catch((error: Error) => error)
      const isResponse = !(response instanceof Error)
      if (isResponse && response.status === 200) tookMs.push(response.tookMs)
      else if (isResponse && response.status === 503 && response.retryAfter !== undefined) putOff++
      else {
        const what = isResponse ? String(response.status) : response.message
        errors.set(what, (errors.get(what) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: PROBES_AT_ONCE }, sendRepeatedly))
  return { medianMs: quantile(tookMs, 0.5), p95Ms: quantile(tookMs, 0.95), errors, putOff }
}

const slowFigures = async (
  stack: Stack,
  sessions: Session[],
  { probeMs, limits }: Size,
  log: (text: string) => void,
) => {
  const [{ customer, access }] = sessions as [Session]
  const browser = createBrowser(stack.url, '10.3.0.1')
  browser.signInAs(access)
  const nickname = customer.nicknames[0] as string
  await probe(browser, nickname, 1_000)
  const before = await probe(browser, nickname, probeMs)
  const slow = await startSlowSockets({ url: stack.url, sessions, ...SLOW_SOCKETS })
  await pause(1_000)
  const count = slow.count()
  const during = await probe(browser, nickname, probeMs)
  slow.stop()
  browser.close()
  log(
    `others: median ${before.medianMs.toFixed(1)} before, ${during.medianMs.toFixed(1)} ms during; ${slow.cutOff()} were cut off`,
  )
  return [
    atLeast('slow sockets', count, 1_300),
    none('errors of other users before slow sockets', before.errors),
    none('errors of other users beside slow sockets', during.errors),
    // Not because of slow sockets, but of a machine that is busy with other work.
    { ...exactly('their requests put off with 503 and Retry-After', before.putOff + during.putOff, 0), timed: true },
    atMost(
      'response times of other users beside slow sockets, median',
      during.medianMs / before.medianMs,
      limits.slower,
      'times',
    ),
    atMost(
      'response times of other users beside slow sockets, p95',
      during.p95Ms / before.p95Ms,
      limits.slower,
      'times',
    ),
  ]
}

const saturationFigures = async (
  stack: Stack,
  sessions: Session[],
  { saturation, limits }: Size,
  log: (text: string) => void,
) => {
  const { url } = stack
  const { succeeded, refused, wrong, longestMs } = await measureSaturation({ url, sessions, ...saturation })
  log(`${succeeded} requests succeeded`)
  const browser = createBrowser(url, '10.3.0.2')
  const begin = performance.now()
  let status = 0
  while (status !== 200 && performance.now() - begin < 20_000)
    status = (await browser.send({ path: '/config/' }).catch(() => ({ status: 0 }))).status
  browser.close()
  return [
    atLeast('refused with 429 or 503 and Retry-After', refused, 1),
    none('other responses, or none', wrong),
    atMost('longest response when saturated', longestMs / 1000, limits.longestS, 's'),
    atMost('responds again after', (performance.now() - begin) / 1000, 5, 's'),
    exactly('exits of the process', stack.exits(), 0),
  ]
}

export const load: Proof = {
  name: 'load',
  about:
    'Two hundred users and two thousand terminals, then slow clients, then more requests than the machine can handle.',
  run: async ({ form, log }): Promise<Figure[]> => {
    const size = forms[form]
    log(`a fleet of ${TERMINALS} and ${USERS} users`)
    const stack = await openStack(TERMINALS)
    const customers = await settle(stack.database, { users: USERS, terminalsPerGroup: size.terminalsPerGroup })
    log('users')
    const crowd = await crowdFigures(stack, customers, size, log)
    const sessions = await openSessions(stack.url, customers.slice(0, SLOW_SOCKETS.readers / READERS_PER_SESSION))
    log('slow sockets')
    const slow = await slowFigures(stack, sessions, size, log)
    log('too much')
    return [...crowd, ...slow, ...(await saturationFigures(stack, sessions, size, log))]
  },
}
