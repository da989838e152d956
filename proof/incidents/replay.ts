import { latLngToCell } from 'h3-js'
import type { IncidentCause } from '#contract/incident-cause.ts'
import { isDisabled } from '#contract/terminal-status.ts'
import type { FoundIncident } from '#server/incidents/build-incident.ts'
import { findIncidents } from '#server/incidents/find-incidents.ts'
import { toArea } from '#server/incidents/group-by-area.ts'
import { getLossKey, type Loss, type Report } from '#server/incidents/loss.ts'
import { createFeedClock } from '#server/telemetry/feed-clock.ts'
import {
  type Edge,
  statusAfterRow,
  statusAfterSilence,
  statusLimits,
  type TerminalState,
} from '#server/telemetry/status.ts'
import { createChanges } from '#simulator/changes.ts'
import { buildFleet, type Fleet, type Terminal } from '#simulator/fleet.ts'
import { type AbsenceCause, getPresence } from '#simulator/presence.ts'
import { type Reading, readTerminal, SLOT_MS } from '#simulator/reading.ts'
import type { Episode, Scenario, Story } from './scenarios.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TERMINALS = 150
const LENGTH_MS = 6 * HOUR_MS
const STORY_BEGINS_MS = HOUR_MS
/** Shorter outages may end before the silence is long enough to count. */
export const SHORTEST_SEEN_MS = 4 * MINUTE_MS

interface Row {
  terminal: Terminal
  atMs: number
  reading: Reading
}

/** The state of one terminal so far. */
interface Watched {
  state: TerminalState | null
  last: Reading | null
  hasWorked: boolean
  /** All pings of the last row were lost. */
  lostPings: boolean
  open: Loss | null
  losses: Loss[]
}

const naturalCauses: Partial<Record<AbsenceCause, IncidentCause>> = {
  turn: 'power',
  'power cut': 'power',
  reboot: 'restart',
  outage: 'network',
}

/**
 * The natural outages of the simulated fleet in this time. Ongoing ones at the start are dated an hour
 * earlier.
 */
const listNaturalEpisodes = (fleet: Fleet, fromMs: number, toMs: number): Episode[] =>
  fleet.terminals.flatMap((terminal) => {
    const episodes: Episode[] = []
    let open: Episode | null = null
    let before: IncidentCause | undefined
    for (let atMs = fromMs; atMs < toMs; atMs += SLOT_MS) {
      const presence = getPresence(fleet, createChanges(), terminal, atMs)
      const cause = presence.reports ? undefined : naturalCauses[presence.cause]
      if (open && open.cause === cause) open.toMs = atMs + SLOT_MS
      else if (cause !== before || atMs === fromMs) {
        const beganMs = atMs === fromMs ? atMs - HOUR_MS : atMs
        open = cause ? { terminal, cause, fromMs: beganMs, toMs: atMs + SLOT_MS } : null
        if (open) episodes.push(open)
      }
      before = cause
    }
    return episodes
  })

const toReport = ({ alerts, signalQuality, obstruction, softwareVersion }: Reading): Report => ({
  alerts,
  signalQuality,
  obstruction,
  softwareVersion,
})

const getCell = ({ latitude, longitude }: Terminal) => latLngToCell(latitude, longitude, 5)

export interface Outcome {
  fromMs: number
  episodes: Episode[]
  losses: Loss[]
  verdicts: Map<string, FoundIncident>
  /** For each loss, when it was first part of an incident, and the cause at that time. */
  first: Map<string, { atMs: number; cause: IncidentCause }>
}

/** The natural behavior of a simulated fleet in some hours, before a story changes it. */
export interface World {
  fleet: Fleet
  fromMs: number
  toMs: number
  natural: Episode[]
  /** By time, the reading of each terminal that reports. */
  rows: Map<number, Row[]>
}

export const buildWorld = (seed: number): World => {
  const fleet = buildFleet(seed, [TERMINALS])
  const fromMs = Date.UTC(2026, 0, 5 + (seed % 20), seed % 24)
  const toMs = fromMs + LENGTH_MS
  const rows = new Map<number, Row[]>()
  for (let atMs = fromMs; atMs < toMs; atMs += SLOT_MS) rows.set(atMs, readAll(fleet, atMs))
  return { fleet, fromMs, toMs, natural: listNaturalEpisodes(fleet, fromMs, toMs), rows }
}

/** Replays a story against the rules for status and incidents, row by row as they would arrive. */
export const replay = (scenario: Scenario, { fleet, fromMs, toMs, natural, rows: naturalRows }: World): Outcome => {
  const story = scenario.createStory(fleet, fromMs + STORY_BEGINS_MS)
  const episodes = [...story.episodes, ...natural]
  const watched = new Map(fleet.terminals.map((terminal) => [terminal, newWatched()]))
  const clock = createFeedClock(statusLimits)
  const terminals = Map.groupBy(
    fleet.terminals.filter(({ line, role }) => line !== null && role !== 'noData').map(({ index }) => index),
    (index) => toArea(getCell(fleet.terminals[index] as Terminal)),
  )
  const first: Outcome['first'] = new Map()
  let found: FoundIncident[] = []
  let arrivals = listArrivals(fleet, story, fromMs, toMs)
  for (let nowMs = fromMs; nowMs < toMs; nowMs += SLOT_MS) {
    const due = arrivals.filter(({ arrivesAtMs }) => arrivesAtMs <= nowMs)
    arrivals = arrivals.filter(({ arrivesAtMs }) => arrivesAtMs > nowMs)
    const rows = due.flatMap(({ atMs }) => changeRows(naturalRows.get(atMs) ?? [], story))
    for (const { atMs } of rows) clock.recordRow(atMs)
    if (rows.length === 0) clock.recordEmptyResponse(nowMs)
    let hasChanged = false
    for (const row of rows)
      hasChanged = applyRow(watched.get(row.terminal) as Watched, row, clock.aliveBetween) || hasChanged
    const presentMs = clock.getPresentMs()
    if (presentMs !== null)
      for (const [terminal, each] of watched)
        hasChanged = applySilence(each, terminal, presentMs, clock.aliveBetween) || hasChanged
    if (!hasChanged) continue
    const losses = [...watched.values()].flatMap((each) => each.losses)
    found = findIncidents({ losses, terminals, atMs: nowMs })
    for (const incident of found)
      for (const loss of incident.losses) {
        const key = getLossKey(loss)
        if (!first.has(key)) first.set(key, { atMs: nowMs, cause: incident.cause })
      }
  }
  const losses = [...watched.values()].flatMap((each) => each.losses)
  found = findIncidents({ losses, terminals, atMs: toMs })
  const verdicts = new Map(found.flatMap((incident) => incident.losses.map((loss) => [getLossKey(loss), incident])))
  return { fromMs, episodes, losses, verdicts, first }
}

const newWatched = (): Watched => ({
  state: null,
  last: null,
  hasWorked: false,
  lostPings: false,
  open: null,
  losses: [],
})

const listArrivals = (fleet: Fleet, { arrivesAtMs }: Story, fromMs: number, toMs: number) =>
  fleet.terminals.length === 0
    ? []
    : Array.from({ length: (toMs - fromMs) / SLOT_MS }, (_, index) => {
        const atMs = fromMs + index * SLOT_MS
        return { atMs, arrivesAtMs: arrivesAtMs?.(atMs) ?? atMs }
      })

const readAll = (fleet: Fleet, atMs: number): Row[] =>
  fleet.terminals.flatMap((terminal) => {
    const reading = readTerminal(fleet, createChanges(), terminal, atMs)
    return reading ? [{ terminal, atMs, reading }] : []
  })

const changeRows = (rows: Row[], { change }: Story): Row[] =>
  change
    ? rows.flatMap((row) => {
        const reading = change(row.terminal, row.reading, row.atMs)
        return reading ? [{ ...row, reading }] : []
      })
    : rows

type TimeBetween = (fromMs: number, toMs: number) => number

const applyRow = (watched: Watched, { terminal, atMs, reading }: Row, timeBetween: TimeBetween) => {
  const row = { atMs, lostAllPings: reading.pingDrop >= 1, disabled: isDisabled(reading.alerts) }
  const step = statusAfterRow(watched.state, row, timeBetween, statusLimits)
  watched.state = step.state
  const before = watched.last
  const hasChanged = applyEdges(watched, terminal, step.edges, reading)
  watched.lostPings = row.lostAllPings
  watched.last = before && row.lostAllPings ? before : reading
  return hasChanged
}

const applySilence = (watched: Watched, terminal: Terminal, presentMs: number, timeBetween: TimeBetween) => {
  if (!watched.state) return false
  const step = statusAfterSilence(watched.state, presentMs, timeBetween, statusLimits)
  watched.state = step.state
  return applyEdges(watched, terminal, step.edges, null)
}

const applyEdges = (watched: Watched, terminal: Terminal, edges: readonly Edge[], reading: Reading | null) => {
  for (const { atMs, status, disabled } of edges) {
    const works = status === 'online' && !disabled
    watched.hasWorked ||= works
    if (works && watched.open) {
      watched.open.backAtMs = atMs
      watched.open.after = reading && {
        ...toReport(reading),
        bootedAtMs: atMs - reading.uptimeS * 1000,
        // Includes the alerts of the first row after power was restored, which alone did not count as online.
        alerts: [...new Set([...(watched.last?.alerts ?? []), ...reading.alerts])],
      }
      watched.open = null
    } else if (!works && !watched.open && watched.hasWorked && watched.last) {
      watched.open = {
        terminalId: terminal.index,
        lostAtMs: atMs,
        backAtMs: null,
        isDisabled: disabled,
        cell: getCell(terminal),
        before: toReport(disabled && reading ? reading : watched.last),
        lostPingsFirst: watched.lostPings,
        after: null,
        rebootRequestedAtMs: null,
      }
      watched.losses.push(watched.open)
    }
  }
  return edges.length > 0
}
