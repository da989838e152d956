import { setTimeout as pause } from 'node:timers/promises'
import { awaitReboot, countUnobservedHours, type Day, findNickname, HOUR_MS, listOnline } from './day.ts'
import { signInToPortal } from './portal.ts'
import type { Reseller } from './stack.ts'
import { secondsUntil } from './until.ts'

export const BAD_MS = 3 * HOUR_MS
const STEPS = 36
const AGE_TOLERANCE_S = 30
const SETTLED_WITHIN_S = 15
const REBOOTED_MS = 180_000

/** What users saw at the end of the failure. */
export interface Seen {
  /** Difference between the age that pages received and the true age. */
  ageOffS: number
  turnedOffline: number
  countUnobservedHours: number
  rebootStatus: number | undefined
}

export const play = (resellers: readonly Reseller[], isOn: boolean) => {
  for (const { failure, simulator } of resellers) {
    if (!failure.scenario || failure.isStanding) continue
    if (isOn) simulator.play(failure.scenario)
    else simulator.stopScenario(failure.scenario)
  }
}

/** A page may receive a row a moment after our check, so the check is repeated. */
const findAgeOff = async ({ stack, clock }: Day, reseller: Reseller) => {
  const { credentials } = reseller.simulator.simulation
  let off = Number.NaN
  await secondsUntil(async () => {
    const shownS = await (await signInToPortal(stack, reseller)).feedAgeS()
    const rightS = (clock.nowMs - Math.max(...credentials.map(({ stream }) => stream.deliveredUntilMs()))) / 1000
    off = shownS === null ? Number.NaN : Math.abs(shownS - rightS)
    return off <= AGE_TOLERANCE_S
  }, SETTLED_WITHIN_S)
  return off
}

const observe = async (day: Day, reseller: Reseller, rebootStatus: number | undefined): Promise<Seen> => {
  const ageOffS = await findAgeOff(day, reseller)
  const online = await listOnline(day.stack, reseller)
  const before = [...(day.onlineBefore.get(reseller)?.keys() ?? [])]
  return {
    ageOffS,
    turnedOffline: before.filter((device) => !online.has(device)).length,
    countUnobservedHours: await countUnobservedHours(day, reseller),
    rebootStatus,
  }
}

/** Three hours pass on the vendors' clock. Our own pauses are not shortened, because requests are counted by the wall clock. */
export const liveThroughBadHours = async (day: Day, seconds: number): Promise<Map<Reseller, Seen>> => {
  const { stack, clock, down } = day
  const { resellers } = stack
  const rebootStatuses = new Map<Reseller, number>()
  play(resellers, true)
  for (const reseller of resellers)
    if (reseller.failure.reboot) {
      const portal = await signInToPortal(stack, reseller)
      rebootStatuses.set(reseller, await portal.reboot(findNickname(day, reseller)))
    }
  // The evidence of a reboot must be found before the clock is advanced.
  clock.nowMs += REBOOTED_MS
  for (const reseller of resellers)
    if (reseller.failure.reboot?.state === 'seen') await awaitReboot(day, reseller, 'seen', SETTLED_WITHIN_S)
  for (let step = 0; step < STEPS; step++) {
    clock.nowMs += BAD_MS / STEPS
    if (step === STEPS / 3) for (const { simulator } of resellers) simulator.setDown(down, true)
    if (step === STEPS / 2) for (const { simulator } of resellers) simulator.setDown(down, false)
    await pause((seconds * 1000) / STEPS)
  }
  const seen = resellers.map(
    async (reseller) => [reseller, await observe(day, reseller, rebootStatuses.get(reseller))] as const,
  )
  return new Map(await Promise.all(seen))
}
