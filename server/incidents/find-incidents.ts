import { applyDecisions, type Decision } from './apply-decisions.ts'
import { buildIncident, type FoundIncident, type Verdict } from './build-incident.ts'
import { findOutages, listTerminals, MIN_SHARE, MIN_TOGETHER, type Outage, STRAGGLER_AFTER_MS } from './find-outages.ts'
import { createFleetHistory, type FleetHistory } from './fleet-history.ts'
import { groupByArea, listAreasAround, splitByTime, toArea } from './group-by-area.ts'
import type { Loss } from './loss.ts'
import { findCertainCause, findOwnCause, getPlannedLimitMs, hasLostPower, type OwnCause } from './own-cause.ts'

const MINUTE_MS = 60_000
const UPDATES_TOGETHER_MS = 45 * MINUTE_MS
const SNOW_TOGETHER_MS = 45 * MINUTE_MS
const DISABLED_TOGETHER_MS = 10 * MINUTE_MS
/** A terminal that is lost again this soon still has the same problem. */
const AGAIN_WITHIN_MS = 30 * MINUTE_MS
/** A large fleet has thousands of single losses; a sample of neighbors is as good as all. */
const MAX_NEIGHBORS = 100

export interface Situation {
  /** Those of one terminal do not overlap. */
  losses: readonly Loss[]
  /** Every terminal that has ever reported, by area; those with an unknown position under ''. */
  terminals: ReadonlyMap<string, readonly number[]>
  /** Manual decisions, in chronological order. */
  decisions?: readonly Decision[]
  /** The input is what is known at this time. */
  atMs: number
}

/**
 * Groups losses into incidents and finds their causes, then applies manual decisions. A pure function, so that the past can
 * be reevaluated.
 */
export const findIncidents = ({ losses, terminals, decisions = [], atMs }: Situation): FoundIncident[] => {
  const fleet = createFleetHistory(terminals, losses)
  const certain: [Loss, OwnCause][] = []
  const open: Loss[] = []
  for (const loss of losses) {
    const cause = findCertainCause(loss, atMs)
    if (cause) certain.push([loss, cause])
    else open.push(loss)
  }
  const outages = findOutages(open, fleet, atMs)
  const isShared = new Set(outages.flatMap((outage) => outage.losses))
  const single = open.filter((loss) => !isShared.has(loss))
  const found = [...outages.map(judgeTogether), ...judgeSingles(single, fleet, atMs), ...joinCertain(certain)]
  return applyDecisions(found, decisions, (apart) => judgeApart(apart, fleet, atMs)).sort(
    (one, other) => one.startedAtMs - other.startedAtMs,
  )
}

/** The verdict on losses that were manually split off: that of the clearest one. */
const judgeApart = (losses: readonly Loss[], fleet: FleetHistory, atMs: number): Verdict => {
  const certain = losses.flatMap((loss) => {
    const cause = findCertainCause(loss, atMs)
    return cause ? [{ ...cause, observed: 1 }] : []
  })
  const own = judgeSingles(losses, fleet, atMs).map(({ cause, confidence, evidence }) => ({
    cause,
    confidence,
    observed: evidence.observed,
  }))
  const [clearest] = [...certain, ...own].sort((one, other) => other.confidence - one.confidence)
  const terminals = listTerminals(losses).size
  const { cause, confidence, observed, restart } = clearest as Omit<Verdict, 'reach'>
  return {
    cause,
    confidence,
    observed: Math.max(observed, terminals),
    restart,
    reach: terminals > 1 ? 'several' : 'terminal',
  }
}

const judgeTogether = ({ losses, ...place }: Outage): FoundIncident => {
  const terminals = listTerminals(losses).size
  const back = losses.filter(({ after }) => after !== null)
  const isPower = back.length > 0 && back.filter(hasLostPower).length / back.length >= 0.5
  const excess = (terminals / place.observed - MIN_SHARE) / (1 - MIN_SHARE)
  const confidence = Math.min(0.99, 0.75 + 0.12 * excess + 0.12 * Math.min(1, (terminals - MIN_TOGETHER) / 7))
  return buildIncident(losses, { cause: isPower ? 'power' : 'network', confidence, ...place })
}

const judgeSingles = (losses: readonly Loss[], fleet: FleetHistory, atMs: number): FoundIncident[] => {
  const chains = [...Map.groupBy(losses, ({ terminalId }) => terminalId).values()].flatMap(splitByRecovery)
  const found = chains.map((chain) => judgeChain(chain, fleet, atMs))
  const blocked = found.filter(({ cause }) => cause === 'obstruction')
  return [...found.filter(({ cause }) => cause !== 'obstruction'), ...joinSnow(blocked)]
}

/** Chains the losses of one terminal in which each follows the previous recovery within a short time. */
const splitByRecovery = (losses: readonly Loss[]): Loss[][] => {
  const chains: Loss[][] = []
  let endMs = Number.NEGATIVE_INFINITY
  for (const loss of losses.toSorted((one, other) => one.lostAtMs - other.lostAtMs)) {
    if (loss.lostAtMs - endMs > AGAIN_WITHIN_MS) chains.push([])
    chains.at(-1)?.push(loss)
    endMs = loss.backAtMs ?? Number.POSITIVE_INFINITY
  }
  return chains
}

const judgeChain = (chain: Loss[], fleet: FleetHistory, atMs: number): FoundIncident => {
  const { cell, terminalId, backAtMs } = chain.at(-1) as Loss
  const areas = cell === null ? [] : listAreasAround(toArea(cell))
  // Evaluated at its end, when shared causes are known and faster neighbors have recovered.
  const nearby = fleet.countOthers(areas, new Set([terminalId]), backAtMs ?? atMs, MAX_NEIGHBORS)
  // The loss with the most evidence decides. A dish that is down again has not merely restarted.
  const [verdict] = chain
    .map((loss) => findOwnCause(loss, atMs, nearby))
    .filter(({ cause }) => backAtMs !== null || cause !== 'restart')
    .sort((one, other) => other.confidence - one.confidence)
  return buildIncident(chain, { ...(verdict as OwnCause), reach: 'terminal', observed: nearby + 1 })
}

/** Snow covers the dishes of an area one after the other; a tree obstructs only one. */
const joinSnow = (blocked: readonly FoundIncident[]): FoundIncident[] => {
  const byFirst = new Map(blocked.map((incident) => [incident.losses[0] as Loss, incident]))
  const groups = groupByArea([...byFirst.keys()], SNOW_TOGETHER_MS).filter(
    ({ losses }) => losses.length >= MIN_TOGETHER,
  )
  const joined = groups.map(({ losses }) => {
    const members = losses.map((loss) => byFirst.get(loss) as FoundIncident)
    for (const loss of losses) byFirst.delete(loss)
    const verdict: Verdict = {
      cause: 'obstruction',
      confidence: Math.max(...members.map(({ confidence }) => confidence)),
      reach: 'area',
      observed: Math.max(members.length, ...members.map(({ evidence }) => evidence.observed)),
    }
    return buildIncident(
      members.flatMap((member) => member.losses),
      verdict,
    )
  })
  return [...byFirst.values(), ...joined]
}

const getGapMs = (cause: OwnCause['cause'], { window }: Loss) => {
  if (cause !== 'planned') return DISABLED_TOGETHER_MS
  return window ? Number.MAX_SAFE_INTEGER : UPDATES_TOGETHER_MS
}

const getCertainKey = ([{ rebootRequestedAtMs, terminalId, window }, { cause }]: [Loss, OwnCause]) => {
  if (cause !== 'planned') return cause
  // A window that was replaced by a longer one while it ran has the same end.
  if (window) return `${cause} ${window.endMs} ${window.name}`
  return rebootRequestedAtMs === null ? cause : `${cause} ${terminalId}`
}

/**
 * Updates in one night, losses in one maintenance window, or terminals that were disabled together. A requested reboot is
 * separate.
 */
const joinCertain = (certain: readonly [Loss, OwnCause][]): FoundIncident[] => {
  const causes = new Map(certain)
  const groups = Map.groupBy(certain, getCertainKey)
  return [...groups.values()].flatMap((group) => {
    const [[first, { cause }]] = group as [[Loss, OwnCause]]
    const losses = group.map(([loss]) => loss)
    return splitByTime(losses, getGapMs(cause, first)).map((run) => {
      const confidence = run.reduce((least, loss) => Math.min(least, causes.get(loss)?.confidence ?? 1), 1)
      const observed = listTerminals(run).size
      const [restart, ...others] = new Set(run.map((loss) => causes.get(loss)?.restart))
      const reach = observed > 1 ? 'several' : 'terminal'
      return buildIncident(run, {
        cause,
        confidence,
        reach,
        observed,
        restart: others.length === 0 ? restart : undefined,
      })
    })
  })
}

/** When time alone may change a verdict: a planned outage lasts too long, or the neighbors have long recovered. */
export const findNextMoment = (found: readonly FoundIncident[], atMs: number): number | null => {
  const moments = found.flatMap(({ cause, endedAtMs, losses }) => {
    if (endedAtMs !== null) return []
    const open = losses.filter(({ backAtMs }) => backAtMs === null)
    const limits = cause === 'planned' ? open.map((loss) => getPlannedLimitMs(loss, atMs)) : []
    return [
      ...limits,
      ...losses.flatMap(({ backAtMs }) => (backAtMs === null ? [] : [backAtMs + STRAGGLER_AFTER_MS + 1])),
    ]
  })
  return moments.reduce((next: number | null, each) => (each > atMs && each < (next ?? each + 1) ? each : next), null)
}
