import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, exactly, type Figure } from '../figure.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { countWrongBuckets, createAccounting, listStatuses } from './accounting.ts'
import { BAD_MS, liveThroughBadHours, play, type Seen } from './bad-hours.ts'
import { awaitReboot, beginDay, countUnobservedHours, type Day, HOUR_MS } from './day.ts'
import type { Reseller } from './stack.ts'
import { secondsUntil } from './until.ts'

const sizes = {
  short: { terminals: 8, badSeconds: 7, backWithinS: 30 },
  full: { terminals: 24, badSeconds: 75, backWithinS: 120 },
}

const REQUESTS_PER_MINUTE = 250
const MINUTE_MS = 60_000
const SETTLED_WITHIN_S = 20
const VENDOR_KEEPS_MS = 8 * HOUR_MS
const LONGER_MS = 9 * HOUR_MS
const UNDER_WAY_MS = 2_000
// A token that was issued before is valid for 15 minutes, and the ends of a gap are rounded.
const BLIND_AT_LEAST_MS = BAD_MS - 16 * 60_000

const listDifferences = (one: Set<string>, other: Set<string>) =>
  [...one].filter((line) => !other.has(line)).length + [...other].filter((line) => !one.has(line)).length

const figuresDuring = ({ failure }: Reseller, seen: Seen): Figure[] => {
  const named = (what: string) => `${failure.name}: ${what}`
  return [
    atMost(named('error of the age that pages show'), seen.ageOffS, 30, 's'),
    ...(failure.isBlinding
      ? [
          exactly(named('terminals shown offline because of it'), seen.turnedOffline, 0),
          atLeast(named('shown as unobserved'), seen.countUnobservedHours, BLIND_AT_LEAST_MS / HOUR_MS, 'h'),
        ]
      : []),
    ...(failure.reboot
      ? [exactly(named('response to a reboot'), seen.rebootStatus ?? 'nothing', failure.reboot.status)]
      : []),
  ]
}

const figuresAfter = async (day: Day, reseller: Reseller, backAfterS: number, context: ProofContext) => {
  const { database } = day.stack
  const { failure } = reseller
  const { backWithinS } = sizes[context.form]
  const named = (what: string) => `${failure.name}: ${what}`
  const samples = await createAccounting(database, reseller, day.startMs, day.clock.nowMs)()
  let wrongBuckets = Number.NaN
  await secondsUntil(async () => {
    wrongBuckets = await countWrongBuckets(database, reseller)
    return wrongBuckets === 0
  }, SETTLED_WITHIN_S)
  // Where rows are missing on purpose, a real outage starts and ends at other times, and a short one may be longer.
  const compared = failure.scenario === 'terminals-drop-out' ? 'present' : 'history'
  const statuses = await listStatuses(database, reseller, compared)
  const undisturbed = await listStatuses(database, day.twin, compared)
  const most = reseller.simulator.simulation.traffic.maxWithin(MINUTE_MS)
  const isCompared = reseller !== day.twin && !failure.reboot
  return [
    exactly(named(`samples lost of ${samples.rows}`), samples.lost, 0),
    exactly(named('samples duplicated'), samples.doubled, 0),
    exactly(named('chart buckets with a wrong count'), wrongBuckets, 0),
    exactly(named('shown as unobserved afterwards'), await countUnobservedHours(day, reseller), 0, 'h'),
    ...(isCompared
      ? [
          exactly(
            named(`status (${compared}): differences from undisturbed`),
            listDifferences(statuses, undisturbed),
            0,
          ),
        ]
      : []),
    atMost(named('requests in the busiest minute'), most, REQUESTS_PER_MINUTE),
    atMost(named('caught up within'), backAfterS, backWithinS, 's'),
    ...(failure.reboot ? [await measureReboot(day, reseller, failure.reboot.state)] : []),
  ]
}

const measureReboot = async (day: Day, reseller: Reseller, state: string): Promise<Figure> => {
  const known = await awaitReboot(day, reseller, state, SETTLED_WITHIN_S)
  return exactly(`${reseller.failure.name}: reported state of the reboot`, known, state)
}

/** Longer than the vendor retains telemetry: what it still has is delivered, and pages show the rest as unobserved. */
const measureLongOutage = async (day: Day, withinS: number): Promise<Figure[]> => {
  const { stack, clock } = day
  const reseller = stack.resellers.find(({ tenantId }) => tenantId === 'all-failing') as Reseller
  play([reseller], true)
  // A response in flight must not include the rows that follow.
  await pause(UNDER_WAY_MS)
  clock.nowMs += LONGER_MS
  const fromMs = clock.nowMs - VENDOR_KEEPS_MS
  const accountFor = createAccounting(stack.database, reseller, fromMs, clock.nowMs)
  play([reseller], false)
  const backAfterS = await secondsUntil(async () => (await accountFor()).lost === 0, withinS)
  const { rows, lost } = await accountFor()
  const unobserved = await countUnobservedHours(day, reseller)
  return [
    exactly(`nine hours stopped: samples lost of ${rows} that the vendor retained`, lost, 0),
    atMost('nine hours stopped: caught up within', backAfterS, withinS, 's'),
    {
      name: 'nine hours stopped: shown as unobserved',
      value: unobserved,
      unit: 'h',
      limit: '0.95 to 1.05',
      pass: Math.abs(unobserved - 1) <= 0.05,
    },
  ]
}

export const upstream: Proof = {
  name: 'upstream',
  about:
    'Each failure that the vendor really had, for three hours: no data is lost, pages show the age of the data, and we stay below the vendor’s rate limit.',
  run: async (context) => {
    const { form, log } = context
    const { terminals, badSeconds, backWithinS } = sizes[form]
    log('a few minutes without failures')
    const day = await beginDay(form, terminals)
    const { resellers } = day.stack
    log(`three hours of failures, in ${badSeconds} s`)
    const seen = await liveThroughBadHours(day, badSeconds)
    log('good again')
    play(resellers, false)
    const back = await Promise.all(resellers.map((each) => day.secondsUntilRead(each, backWithinS)))
    const figures: Figure[] = []
    for (const [index, reseller] of resellers.entries())
      figures.push(
        ...figuresDuring(reseller, seen.get(reseller) as Seen),
        ...(await figuresAfter(day, reseller, back[index] as number, context)),
      )
    if (form === 'short') return figures
    log('nine hours away')
    return [...figures, ...(await measureLongOutage(day, backWithinS))]
  },
}
