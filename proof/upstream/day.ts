import { getPresence } from '#simulator/presence.ts'
import type { Form } from '../proof.ts'
import { createAccounting } from './accounting.ts'
import { failures, TWIN } from './failures.ts'
import { signInToPortal } from './portal.ts'
import { openStack, type Reseller, type Stack } from './stack.ts'
import { secondsUntil } from './until.ts'

export const HOUR_MS = 3_600_000
const BEFORE_MS = 14 * HOUR_MS
const WARM_UP_MS = 6 * 60_000
const READ_WITHIN_S = 30
/** The first rows arrive shortly after the start. */
const FIRST_ROWS_MS = 60_000
/** Covers the failure with a margin. */
const AHEAD_MS = 4 * HOUR_MS
/** Its index in the fleet; at every vendor it is down for a while during the failure. */
const DOWN_PLACE = 1

export interface Day {
  stack: Stack
  clock: { nowMs: number }
  startMs: number
  twin: Reseller
  /** Device that is down for a while. */
  down: string
  /** Device that users reboot, and that does not reboot on its own. */
  rebooted: string
  /** Nicknames of the terminals that were online at the start, by device. */
  onlineBefore: Map<Reseller, Map<string, string>>
  /** Seconds until everything that the vendor has sent is stored. */
  secondsUntilRead: (reseller: Reseller, withinS: number) => Promise<number>
}

export const listOnline = async (stack: Stack, reseller: Reseller) => {
  const terminals = await (await signInToPortal(stack, reseller)).listTerminals()
  return new Map(terminals.filter(({ status }) => status === 'online').map((each) => [each.deviceID, each.nickname]))
}

const hasNewest = ({ database }: Stack, { tenantId }: Reseller) =>
  database.transaction({ tenantId }, async (db) => {
    const row = await db.selectFrom('latest').select('at').limit(1).executeTakeFirst()
    return row !== undefined
  })

const runsThrough = ({ simulator }: Reseller, device: string, fromMs: number, untilMs: number) => {
  const { fleet, changes, findTerminal } = simulator.simulation
  const terminal = findTerminal(device)
  const presence = terminal && getPresence(fleet, changes, terminal, untilMs)
  return presence?.reports === true && presence.bootedMs < fromMs
}

/** The resellers after a few minutes without failures. All times are on a clock that the proof advances. */
export const beginDay = async (form: Form, terminals: number): Promise<Day> => {
  const startMs = Math.floor((Date.now() - BEFORE_MS) / HOUR_MS) * HOUR_MS
  const clock = { nowMs: startMs }
  const stack = await openStack({
    failures: failures.filter(({ isOnlyInFull }) => form === 'full' || !isOnlyInFull),
    terminals,
    clock,
  })
  const secondsUntilRead = (reseller: Reseller, withinS: number) => {
    const accountFor = createAccounting(stack.database, reseller, startMs, clock.nowMs)
    return secondsUntil(async () => (await accountFor()).lost === 0, withinS)
  }
  // The latest state is requested once at the start and is not part of the stream.
  for (const reseller of stack.resellers)
    if (Number.isNaN(await secondsUntil(() => hasNewest(stack, reseller), READ_WITHIN_S)))
      throw new Error(`${reseller.tenantId}: the newest values were not requested.`)
  clock.nowMs += WARM_UP_MS
  const onlineBefore = new Map<Reseller, Map<string, string>>()
  for (const reseller of stack.resellers) {
    if (Number.isNaN(await secondsUntilRead(reseller, READ_WITHIN_S)))
      throw new Error(`${reseller.tenantId}: not all was read in good times.`)
    onlineBefore.set(reseller, await listOnline(stack, reseller))
  }
  const twin = stack.resellers.find(({ tenantId }) => tenantId === TWIN) as Reseller
  const down = twin.simulator.fleet.terminals[DOWN_PLACE]?.terminalId as string
  const rebooted = [...(onlineBefore.get(twin)?.keys() ?? [])].find(
    (device) => device !== down && runsThrough(twin, device, startMs, clock.nowMs + AHEAD_MS),
  )
  if (rebooted === undefined) throw new Error('Every terminal boots by itself in these hours.')
  return { stack, clock, startMs, twin, down, rebooted, onlineBefore, secondsUntilRead }
}

/** The receipt of the reboot. */
export const findNickname = ({ onlineBefore, rebooted }: Day, reseller: Reseller) =>
  onlineBefore.get(reseller)?.get(rebooted) ?? ''

/** The state of the reboot on the terminal's page, once it is the expected one or at the timeout. */
export const awaitReboot = async (day: Day, reseller: Reseller, state: string, withinS: number) => {
  const portal = await signInToPortal(day.stack, reseller)
  let known = 'nothing'
  await secondsUntil(async () => {
    const { receipts } = await portal.detail(findNickname(day, reseller))
    known = receipts.find(({ kind }) => kind === 'reboot')?.state ?? 'nothing'
    return known === state
  }, withinS)
  return known
}

/** The hours since the start that the terminal's page shows as unobserved. */
export const countUnobservedHours = async (day: Day, reseller: Reseller) => {
  const { stack, startMs } = day
  const { terminal_data } = await (await signInToPortal(stack, reseller)).detail(findNickname(day, reseller))
  const spans = terminal_data[0]?.unobserved ?? []
  const lengthMs = ({ from, to }: (typeof spans)[number]) =>
    Math.max(0, Date.parse(to) - Math.max(Date.parse(from), startMs + FIRST_ROWS_MS))
  return spans.reduce((sum, span) => sum + lengthMs(span), 0) / HOUR_MS
}
