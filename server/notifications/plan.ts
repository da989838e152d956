import { toLocalTime } from '#contract/format/times.ts'
import { isQuiet, nextLocalMinute, type QuietTimes } from './local-time.ts'

/** The state of a terminal as notifications report it. */
export type Condition = 'online' | 'offline' | 'no data' | 'disabled'

export interface StatusEvent {
  kind: 'status'
  /** When we learned of it. Nobody can be notified before that. */
  knownAtMs: number
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
}

export interface UsageEvent {
  kind: 'usage'
  knownAtMs: number
  /** The line or pool whose limit it is. */
  subject: string
  lineIds: number[]
  percent: number
  usedGb: number
  limitGb: number
}

export type FleetEvent = StatusEvent | UsageEvent

/** The preferences of a user for one channel. */
export interface Rules {
  statusChanges: boolean
  dataUsage: boolean
  lineIds: ReadonlySet<number>
  settlingMs: number
  /** For texts only. */
  quiet: QuietTimes | undefined
  dailyLimit: number | undefined
  /** Until when a terminal was to be maintained at a moment; null when it was not. */
  findMaintenanceEnd: (terminalId: number, atMs: number) => number | null
}

export interface Change {
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
  /** We learned of it long after it happened. */
  isLate: boolean
  /** It changes so often that the next change has to last longer before it is reported. */
  isUnstable: boolean
}

export type Usage = Pick<UsageEvent, 'subject' | 'lineIds' | 'percent' | 'usedGb' | 'limitGb'>

/** One message, whatever channel sends it. */
export interface Notice {
  atMs: number
  changes: Change[]
  usage: Usage[]
  /** No further text is sent that day. */
  isLastOfDay: boolean
}

interface Watched {
  lineId: number
  notified: Condition
  now: Condition
  sinceMs: number
  isLate: boolean
  /** When it will have lasted long enough; null when there is nothing to report. */
  dueMs: number | null
  isSettled: boolean
  notifiedAtMs: number[]
  /** It was reported too often. A change has to last longer until one has done so. */
  isUnstable: boolean
  /** It is due when a maintenance window ends. */
  isHeld?: boolean | undefined
}

/** What is pending between two runs. Plain data, because it is stored in the database as JSON. */
export interface State {
  terminals: Record<string, Watched>
  usage: Usage[]
  sendAtMs: number | null
  day: string
  sentOfDay: number
}

export const emptyState = (): State => ({ terminals: {}, usage: [], sendAtMs: null, day: '', sentOfDay: 0 })

const MINUTE_MS = 60_000
/** Lines with a common cause change within moments of each other, so changes that settle within this time share a message. */
const GATHER_MS = 2 * MINUTE_MS
const LATE_MS = 15 * MINUTE_MS
const UNSTABLE_AFTER = 4
const UNSTABLE_WITHIN_MS = 60 * MINUTE_MS
const UNSTABLE_SETTLING_MS = 30 * MINUTE_MS

// Nothing was reported yet, so neither an outage that began earlier nor its end is reported.
const watchTerminal = ({ lineId, sinceMs }: StatusEvent): Watched => ({
  lineId,
  notified: 'online',
  now: 'online',
  sinceMs,
  isLate: false,
  dueMs: null,
  isSettled: false,
  notifiedAtMs: [],
  isUnstable: false,
})

const addStatusEvent = (state: State, event: StatusEvent, { settlingMs }: Rules) => {
  const { terminalId, lineId, after, sinceMs, knownAtMs } = event
  const watched = state.terminals[terminalId] ?? watchTerminal(event)
  state.terminals[terminalId] = watched
  if (after === watched.now) return
  if (sinceMs - watched.sinceMs >= UNSTABLE_SETTLING_MS) watched.isUnstable = false
  const holdMs = watched.isUnstable ? Math.max(settlingMs, UNSTABLE_SETTLING_MS) : settlingMs
  Object.assign(watched, {
    lineId,
    now: after,
    sinceMs,
    isLate: knownAtMs - sinceMs > LATE_MS,
    isSettled: false,
    isHeld: undefined,
    dueMs: after === watched.notified ? null : Math.max(knownAtMs, sinceMs + holdMs),
  })
}

const addUsageEvent = (state: State, { subject, lineIds, percent, usedGb, limitGb, knownAtMs }: UsageEvent) => {
  state.usage = state.usage.filter((each) => each.subject !== subject || each.percent > percent)
  if (!state.usage.some((each) => each.subject === subject))
    state.usage.push({ subject, lineIds, percent, usedGb, limitGb })
  state.sendAtMs ??= knownAtMs + GATHER_MS
}

/** Until when nobody is notified of a change, because it began in a maintenance window. */
const findHeldUntil = ({ findMaintenanceEnd }: Rules, terminalId: string, { now, sinceMs }: Watched) =>
  now === 'online' ? null : findMaintenanceEnd(Number(terminalId), sinceMs)

const settle = (state: State, rules: Rules, atMs: number) => {
  for (const [terminalId, watched] of Object.entries(state.terminals)) {
    if (watched.dueMs === null || watched.dueMs > atMs) continue
    const heldUntilMs = findHeldUntil(rules, terminalId, watched)
    const isHeld = heldUntilMs !== null && heldUntilMs > atMs
    watched.isHeld = isHeld || undefined
    watched.dueMs = isHeld ? heldUntilMs : null
    if (isHeld) continue
    watched.isSettled = true
    state.sendAtMs ??= atMs + GATHER_MS
  }
}

/** When the message may be sent, if it may not be sent now. */
const findHoldEnd = (state: State, { quiet, dailyLimit }: Rules, atMs: number): number | undefined => {
  if (quiet === undefined) return undefined
  if (isQuiet(atMs, quiet)) return nextLocalMinute(atMs, quiet.untilMinute, quiet.timeZone)
  const { day } = toLocalTime(atMs, quiet.timeZone)
  if (day !== state.day) Object.assign(state, { day, sentOfDay: 0 })
  const isSpent = dailyLimit !== undefined && state.sentOfDay >= dailyLimit
  return isSpent ? nextLocalMinute(atMs, 0, quiet.timeZone) : undefined
}

const takeChange = (terminalId: string, watched: Watched, atMs: number): Change => {
  watched.notified = watched.now
  watched.isSettled = false
  const recent = watched.notifiedAtMs.filter((each) => each > atMs - UNSTABLE_WITHIN_MS)
  // A change of an unstable terminal has lasted long enough to be reported, so counting starts over.
  watched.notifiedAtMs = watched.isUnstable ? [atMs] : [...recent, atMs]
  watched.isUnstable = watched.notifiedAtMs.length >= UNSTABLE_AFTER
  const { lineId, now, sinceMs, isLate, isUnstable } = watched
  return {
    terminalId: Number(terminalId),
    lineId,
    after: now,
    sinceMs,
    isLate,
    isUnstable,
  }
}

const purgeQuiet = (state: State, atMs: number) => {
  for (const [terminalId, { notified, now, dueMs, notifiedAtMs }] of Object.entries(state.terminals)) {
    const isRecent = notifiedAtMs.some((each) => each > atMs - UNSTABLE_WITHIN_MS)
    if (notified === 'online' && now === 'online' && dueMs === null && !isRecent) delete state.terminals[terminalId]
  }
}

const send = (state: State, rules: Rules, atMs: number): Notice | undefined => {
  const until = findHoldEnd(state, rules, atMs)
  state.sendAtMs = until ?? null
  if (until !== undefined) return undefined
  for (const [terminalId, { lineId }] of Object.entries(state.terminals))
    if (!rules.lineIds.has(lineId) || !rules.statusChanges) delete state.terminals[terminalId]
  const changes = Object.entries(state.terminals)
    .filter(([, { isSettled, notified, now }]) => isSettled && notified !== now)
    .map(([terminalId, watched]) => takeChange(terminalId, watched, atMs))
  const usage = rules.dataUsage ? state.usage.filter((each) => each.lineIds.some((id) => rules.lineIds.has(id))) : []
  state.usage = []
  purgeQuiet(state, atMs)
  if (changes.length === 0 && usage.length === 0) return undefined
  state.sentOfDay++
  return { atMs, changes, usage, isLastOfDay: rules.dailyLimit === state.sentOfDay }
}

/** The next time at which something is due without a new event. */
export const findNextMoment = (state: State): number => {
  let next = state.sendAtMs ?? Number.POSITIVE_INFINITY
  for (const { dueMs } of Object.values(state.terminals)) if (dueMs !== null && dueMs < next) next = dueMs
  return next
}

const concerns = ({ lineIds, statusChanges, dataUsage }: Rules, event: FleetEvent) =>
  event.kind === 'status'
    ? statusChanges && lineIds.has(event.lineId)
    : dataUsage && event.lineIds.some((id) => lineIds.has(id))

/**
 * Decides which messages a user is sent up to a time, given the events. Nothing else decides this. Events are in the
 * order in which we learned of them, and none is later than that time. How often this is called in between changes
 * nothing, so a rehearsal yields the same messages as live sending.
 */
export const plan = (before: State, events: readonly FleetEvent[], rules: Rules, untilMs: number) => {
  const state = structuredClone(before)
  // The window may have been changed since.
  for (const [terminalId, watched] of Object.entries(state.terminals))
    if (watched.isHeld && watched.dueMs !== null)
      watched.dueMs = findHeldUntil(rules, terminalId, watched) ?? watched.dueMs
  const notices: Notice[] = []
  const passTo = (moment: number) => {
    for (let next = findNextMoment(state); next <= moment; next = findNextMoment(state)) {
      settle(state, rules, next)
      const notice = state.sendAtMs !== null && state.sendAtMs <= next ? send(state, rules, next) : undefined
      if (notice) notices.push(notice)
    }
  }
  for (const event of events) {
    if (!concerns(rules, event)) continue
    // Whatever is due at the same moment as the event comes after it.
    passTo(event.knownAtMs - 1)
    if (event.kind === 'status') addStatusEvent(state, event, rules)
    else addUsageEvent(state, event)
  }
  passTo(untilMs)
  return { state, notices }
}
