import { toLocalTime } from '#contract/format/times.ts'
import type { FleetEvent, IncidentEvent, StatusEvent, UsageEvent, WarningEvent } from './fleet-event.ts'
import { isOfIncident, joinAnnounced, listNews } from './incident-news.ts'
import { isQuiet, nextLocalMinute, type QuietTimes } from './local-time.ts'
import {
  type Change,
  findNextMoment,
  type Notice,
  type PlannedWarning,
  type State,
  type Watched,
} from './plan-state.ts'

/** The preferences of a user for one channel. */
export interface Rules {
  statusChanges: boolean
  dataUsage: boolean
  warnings: boolean
  lineIds: ReadonlySet<number>
  settlingMs: number
  /** For texts only. */
  quiet: QuietTimes | undefined
  dailyLimit: number | undefined
  /** When the maintenance of a terminal that is active at a moment ends; null if there is none. */
  findMaintenanceEnd: (terminalId: number, atMs: number) => number | null
}

const MINUTE_MS = 60_000
/** Lines with a common cause change within moments of each other, so changes that settle within this time share a message. */
const GATHER_MS = 2 * MINUTE_MS
/** How long after its recovery a terminal waits for the others of its incident. */
const WAIT_FOR_OTHERS_MS = 60 * MINUTE_MS
const LATE_MS = 15 * MINUTE_MS
const UNSTABLE_AFTER = 4
const UNSTABLE_WITHIN_MS = 60 * MINUTE_MS
const UNSTABLE_SETTLING_MS = 30 * MINUTE_MS

// Nothing was reported yet, so neither an outage that started earlier nor its end is reported.
const watchTerminal = ({ lineId, sinceMs }: StatusEvent): Watched => ({
  lineId,
  notified: 'online',
  now: 'online',
  sinceMs,
  lostAtMs: sinceMs,
  incidentId: null,
  isLate: false,
  dueMs: null,
  isSettled: false,
  hasJoined: false,
  isWaiting: false,
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
  if (watched.now === 'online') {
    watched.lostAtMs = sinceMs
    // The user was not notified that it was back, so to them it is the same outage.
    if (watched.notified === 'online') watched.incidentId = null
  }
  Object.assign(watched, {
    lineId,
    now: after,
    sinceMs,
    isLate: knownAtMs - sinceMs > LATE_MS,
    isSettled: false,
    isHeld: undefined,
    isWaiting: false,
    dueMs: after === watched.notified ? null : Math.max(knownAtMs, sinceMs + holdMs),
  })
}

const addUsageEvent = (state: State, { subject, lineIds, percent, usedGb, limitGb, knownAtMs }: UsageEvent) => {
  state.usage = state.usage.filter((each) => each.subject !== subject || each.percent > percent)
  if (!state.usage.some((each) => each.subject === subject))
    state.usage.push({ subject, lineIds, percent, usedGb, limitGb })
  state.sendAtMs ??= knownAtMs + GATHER_MS
}

const addWarningEvent = (state: State, event: WarningEvent, { findMaintenanceEnd }: Rules) => {
  const { terminalId, lineId, incidentId, knownAtMs } = event
  const dueMs = findMaintenanceEnd(terminalId, knownAtMs) ?? knownAtMs
  state.warnings = [...(state.warnings ?? []), { terminalId, lineId, incidentId, dueMs }]
}

const addIncidentEvent = (state: State, { terminalId, lostAtMs, incidentId }: IncidentEvent) => {
  const watched = state.terminals[terminalId]
  if (watched?.lostAtMs === lostAtMs) watched.incidentId = incidentId
}

/** Until when the notification of a change is held, because it started in a maintenance window. */
const findHeldUntil = ({ findMaintenanceEnd }: Rules, terminalId: string, { now, sinceMs }: Watched) =>
  now === 'online' ? null : findMaintenanceEnd(Number(terminalId), sinceMs)

const settle = (state: State, rules: Rules, atMs: number) => {
  for (const [terminalId, watched] of Object.entries(state.terminals)) {
    if (watched.dueMs === null || watched.dueMs > atMs) continue
    const heldUntilMs = findHeldUntil(rules, terminalId, watched)
    const isHeld = heldUntilMs !== null && heldUntilMs > atMs
    watched.isHeld = isHeld || undefined
    if (isHeld) {
      watched.dueMs = heldUntilMs
      continue
    }
    watched.isWaiting = !watched.isSettled && watched.now === 'online' && isOfIncident(watched)
    watched.isSettled = true
    watched.dueMs = watched.isWaiting ? atMs + WAIT_FOR_OTHERS_MS : null
  }
}

const listSettled = (state: State) =>
  Object.entries(state.terminals).filter(([, { isSettled, notified, now }]) => isSettled && notified !== now)

/** Decides whether a message is due after something changed. */
const schedule = (state: State, atMs: number) => {
  joinAnnounced(state.terminals)
  const hasNews =
    state.warnings?.some(({ dueMs }) => dueMs <= atMs) ||
    listSettled(state).some(([, watched]) => !isOfIncident(watched)) ||
    listNews(state.terminals).length > 0
  if (hasNews) state.sendAtMs ??= atMs + GATHER_MS
}

/** When the message may be sent, if it may not be sent yet. */
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
  Object.assign(watched, { isSettled: false, isWaiting: false, hasJoined: false, dueMs: null })
  const recent = watched.notifiedAtMs.filter((each) => each > atMs - UNSTABLE_WITHIN_MS)
  // A change of an unstable terminal has lasted long enough to be reported, so counting starts over.
  watched.notifiedAtMs = watched.isUnstable ? [atMs] : [...recent, atMs]
  watched.isUnstable = watched.notifiedAtMs.length >= UNSTABLE_AFTER
  const { lineId, now, sinceMs, lostAtMs, incidentId, isLate, isUnstable } = watched
  return {
    terminalId: Number(terminalId),
    lineId,
    after: now,
    sinceMs,
    lostAtMs,
    incidentId,
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

const takeWarnings = (state: State, rules: Rules, atMs: number): PlannedWarning[] => {
  const due = state.warnings?.filter(({ dueMs }) => dueMs <= atMs) ?? []
  const later = state.warnings?.filter(({ dueMs }) => dueMs > atMs) ?? []
  state.warnings = later.length > 0 ? later : undefined
  return rules.warnings
    ? due.filter(({ lineId }) => rules.lineIds.has(lineId)).map(({ dueMs: _, ...warning }) => warning)
    : []
}

const send = (state: State, rules: Rules, atMs: number): Notice | undefined => {
  const until = findHoldEnd(state, rules, atMs)
  state.sendAtMs = until ?? null
  if (until !== undefined) return undefined
  const news = listNews(state.terminals)
  const alone = listSettled(state).filter(([, watched]) => !isOfIncident(watched))
  const changes = [...alone, ...news.flatMap(({ members }) => members)].map(([terminalId, watched]) =>
    takeChange(terminalId, watched, atMs),
  )
  const incidents = news.map(({ id, kind, terminals }) => ({ id, kind, terminals }))
  const usage = rules.dataUsage ? state.usage.filter((each) => each.lineIds.some((id) => rules.lineIds.has(id))) : []
  state.usage = []
  const warnings = takeWarnings(state, rules, atMs)
  purgeQuiet(state, atMs)
  if (changes.length === 0 && usage.length === 0 && warnings.length === 0) return undefined
  state.sentOfDay++
  const isLastOfDay = rules.dailyLimit === state.sentOfDay
  return { atMs, changes, incidents, usage, ...(warnings.length > 0 && { warnings }), isLastOfDay }
}

const concerns = ({ lineIds, statusChanges, dataUsage, warnings }: Rules, event: FleetEvent) =>
  event.kind === 'usage'
    ? dataUsage && event.lineIds.some((id) => lineIds.has(id))
    : (event.kind === 'warning' ? warnings : statusChanges) && lineIds.has(event.lineId)

/** Drops the terminals that the user may not see or has not selected. Returns whether there were any. */
const dropOthers = (state: State, { lineIds, statusChanges }: Rules) => {
  const others = Object.entries(state.terminals).filter(([, { lineId }]) => !statusChanges || !lineIds.has(lineId))
  for (const [terminalId] of others) delete state.terminals[terminalId]
  return others.length > 0
}

/**
 * Decides which messages a user is sent up to a time, given the events. Nothing else decides this. Events are in the
 * order in which they became known, and none is later than that time. Intermediate calls change nothing, so a rehearsal
 * yields the same messages as live sending.
 */
export const plan = (before: State, events: readonly FleetEvent[], rules: Rules, untilMs: number) => {
  const state = structuredClone(before)
  // The window may have been changed since.
  for (const [terminalId, watched] of Object.entries(state.terminals))
    if (watched.isHeld && watched.dueMs !== null)
      watched.dueMs = findHeldUntil(rules, terminalId, watched) ?? watched.dueMs
  const notices: Notice[] = []
  let changedAtMs: number | null = null
  const passTo = (moment: number) => {
    if (changedAtMs !== null && changedAtMs <= moment) {
      schedule(state, changedAtMs)
      changedAtMs = null
    }
    for (let next = findNextMoment(state); next <= moment; next = findNextMoment(state)) {
      settle(state, rules, next)
      schedule(state, next)
      const notice = state.sendAtMs !== null && state.sendAtMs <= next ? send(state, rules, next) : undefined
      if (notice) notices.push(notice)
    }
  }
  const hasDropped = dropOthers(state, rules)
  for (const event of events) {
    if (!concerns(rules, event)) continue
    // Anything due at the same moment as the event is processed after it.
    passTo(event.knownAtMs - 1)
    if (event.kind === 'usage') addUsageEvent(state, event)
    else {
      if (event.kind === 'status') addStatusEvent(state, event, rules)
      else if (event.kind === 'warning') addWarningEvent(state, event, rules)
      else addIncidentEvent(state, event)
      changedAtMs = event.knownAtMs
    }
  }
  // Other terminals of an incident may have been waiting for a dropped one.
  if (hasDropped) changedAtMs ??= untilMs
  passTo(untilMs)
  return { state, notices }
}
