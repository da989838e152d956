import { isQuiet, nextLocalMinute, type QuietTimes, toLocalTime } from './local-time.ts'

/** What a terminal is to the person who is told of it. */
export type Condition = 'online' | 'offline' | 'no data' | 'disabled'

export interface StatusEvent {
  kind: 'status'
  /** When we learned of it; before that nobody can be told. */
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

/** What a person asked for, by one channel. */
export interface Rules {
  statusChanges: boolean
  dataUsage: boolean
  lineIds: ReadonlySet<number>
  settlingMs: number
  /** Of texts only. */
  quiet: QuietTimes | undefined
  dailyLimit: number | undefined
}

export interface Change {
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
  /** We learned of it long after it happened. */
  isLate: boolean
  /** It changes so often that the next change has to hold longer. */
  isUnstable: boolean
}

export type Usage = Pick<UsageEvent, 'subject' | 'lineIds' | 'percent' | 'usedGb' | 'limitGb'>

/** One message, whatever it is carried by. */
export interface Notice {
  atMs: number
  changes: Change[]
  usage: Usage[]
  /** No further text leaves that day. */
  isLastOfDay: boolean
}

interface Watched {
  lineId: number
  told: Condition
  now: Condition
  sinceMs: number
  isLate: boolean
  /** When it has held long enough. */
  dueMs: number | null
  isSettled: boolean
  toldAtMs: number[]
  /** It was told of too often; a change has to hold longer until one has. */
  isUnstable: boolean
}

/** What is in the air between two looks. Plain data: it is kept in the database. */
export interface State {
  terminals: Record<string, Watched>
  usage: Usage[]
  sendAtMs: number | null
  day: string
  sentOfDay: number
}

export const emptyState = (): State => ({ terminals: {}, usage: [], sendAtMs: null, day: '', sentOfDay: 0 })

const MINUTE_MS = 60_000
/** Lines that change together do so within moments; what settles meanwhile goes into the same message. */
const GATHER_MS = 2 * MINUTE_MS
const LATE_MS = 15 * MINUTE_MS
const UNSTABLE_AFTER = 4
const UNSTABLE_WITHIN_MS = 60 * MINUTE_MS
const UNSTABLE_SETTLING_MS = 30 * MINUTE_MS

// Nobody was told of anything yet, so an outage that stands already is not told, and neither is its end.
const watchTerminal = ({ lineId, sinceMs }: StatusEvent): Watched => ({
  lineId,
  told: 'online',
  now: 'online',
  sinceMs,
  isLate: false,
  dueMs: null,
  isSettled: false,
  toldAtMs: [],
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
    dueMs: after === watched.told ? null : Math.max(knownAtMs, sinceMs + holdMs),
  })
}

const addUsageEvent = (state: State, { subject, lineIds, percent, usedGb, limitGb, knownAtMs }: UsageEvent) => {
  state.usage = state.usage.filter((each) => each.subject !== subject || each.percent > percent)
  if (!state.usage.some((each) => each.subject === subject))
    state.usage.push({ subject, lineIds, percent, usedGb, limitGb })
  state.sendAtMs ??= knownAtMs + GATHER_MS
}

const settle = (state: State, atMs: number) => {
  for (const watched of Object.values(state.terminals)) {
    if (watched.dueMs === null || watched.dueMs > atMs) continue
    watched.dueMs = null
    watched.isSettled = true
    state.sendAtMs ??= atMs + GATHER_MS
  }
}

/** When it may leave instead, if it may not leave now. */
const findHoldEnd = (state: State, { quiet, dailyLimit }: Rules, atMs: number): number | undefined => {
  if (quiet === undefined) return undefined
  if (isQuiet(atMs, quiet)) return nextLocalMinute(atMs, quiet.untilMinute, quiet.timeZone)
  const { day } = toLocalTime(atMs, quiet.timeZone)
  if (day !== state.day) Object.assign(state, { day, sentOfDay: 0 })
  const isSpent = dailyLimit !== undefined && state.sentOfDay >= dailyLimit
  return isSpent ? nextLocalMinute(atMs, 0, quiet.timeZone) : undefined
}

const takeChange = (terminalId: string, watched: Watched, atMs: number): Change => {
  watched.told = watched.now
  watched.isSettled = false
  const recent = watched.toldAtMs.filter((told) => told > atMs - UNSTABLE_WITHIN_MS)
  // What was unstable has held long enough to be told: it starts anew.
  watched.toldAtMs = watched.isUnstable ? [atMs] : [...recent, atMs]
  watched.isUnstable = watched.toldAtMs.length >= UNSTABLE_AFTER
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
  for (const [terminalId, { told, now, dueMs, toldAtMs }] of Object.entries(state.terminals)) {
    const isRecent = toldAtMs.some((each) => each > atMs - UNSTABLE_WITHIN_MS)
    if (told === 'online' && now === 'online' && dueMs === null && !isRecent) delete state.terminals[terminalId]
  }
}

const send = (state: State, rules: Rules, atMs: number): Notice | undefined => {
  const until = findHoldEnd(state, rules, atMs)
  state.sendAtMs = until ?? null
  if (until !== undefined) return undefined
  for (const [terminalId, { lineId }] of Object.entries(state.terminals))
    if (!rules.lineIds.has(lineId) || !rules.statusChanges) delete state.terminals[terminalId]
  const changes = Object.entries(state.terminals)
    .filter(([, { isSettled, told, now }]) => isSettled && told !== now)
    .map(([terminalId, watched]) => takeChange(terminalId, watched, atMs))
  const usage = rules.dataUsage ? state.usage.filter((each) => each.lineIds.some((id) => rules.lineIds.has(id))) : []
  state.usage = []
  purgeQuiet(state, atMs)
  if (changes.length === 0 && usage.length === 0) return undefined
  state.sentOfDay++
  return { atMs, changes, usage, isLastOfDay: rules.dailyLimit === state.sentOfDay }
}

/** The next moment at which something happens by itself. */
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
 * What a person is sent until a moment, given what happened: the one place where that is decided. Events come in the
 * order in which we learned of them, and none is later than the moment. How often it is called in between changes
 * nothing, so what was sent live and what is worked out afterwards are the same.
 */
export const plan = (before: State, events: readonly FleetEvent[], rules: Rules, untilMs: number) => {
  const state = structuredClone(before)
  const notices: Notice[] = []
  const passTo = (moment: number) => {
    for (let next = findNextMoment(state); next <= moment; next = findNextMoment(state)) {
      settle(state, next)
      const notice = state.sendAtMs !== null && state.sendAtMs <= next ? send(state, rules, next) : undefined
      if (notice) notices.push(notice)
    }
  }
  for (const event of events) {
    if (!concerns(rules, event)) continue
    // What happens by itself at this very moment comes after the news of it.
    passTo(event.knownAtMs - 1)
    if (event.kind === 'status') addStatusEvent(state, event, rules)
    else addUsageEvent(state, event)
  }
  passTo(untilMs)
  return { state, notices }
}
