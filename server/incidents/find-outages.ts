import { cellToLatLng, greatCircleDistance, UNITS } from 'h3-js'
import { locate } from './build-incident.ts'
import type { FleetHistory } from './fleet-history.ts'
import { groupByArea, regionSizes, splitByTime, type ToCell, toArea } from './group-by-area.ts'
import type { Loss } from './loss.ts'
import { hasLostPower } from './own-cause.ts'

const MINUTE_MS = 60_000
/** Losses with one cause begin within this time: rows arrive every 15 seconds, and some are missing. */
const TOGETHER_MS = 90_000
/** A terminal that is still lost this long after its neighbors recovered has a separate problem. */
export const STRAGGLER_AFTER_MS = 30 * MINUTE_MS
const RECOVERED_SHARE = 0.8
export const MIN_TOGETHER = 3
export const MIN_SHARE = 0.5
const MIN_AREAS_OF_FLEET = 3

/** Losses that include most terminals of an area or of the fleet. */
export interface Outage {
  reach: 'area' | 'fleet'
  losses: Loss[]
  /** Terminals at the location that were working just before. */
  observed: number
}

export const listTerminals = (losses: readonly Loss[]) => new Set(losses.map(({ terminalId }) => terminalId))

export const getStartMs = (losses: readonly Loss[]) =>
  losses.reduce((first, { lostAtMs }) => Math.min(first, lostAtMs), Number.POSITIVE_INFINITY)

/** The outage of these losses, if they are most terminals of these areas. */
const measureOutage = (
  losses: Loss[],
  { reach, areas, fleet }: Pick<Outage, 'reach'> & { areas: Iterable<string>; fleet: FleetHistory },
): Outage[] => {
  const members = listTerminals(losses)
  const observed = members.size + fleet.countOthers(areas, members, getStartMs(losses))
  return members.size / observed >= MIN_SHARE ? [{ reach, losses, observed }] : []
}

const dropStragglers = (losses: Loss[], atMs: number) => {
  const backs = losses.flatMap(({ backAtMs }) => backAtMs ?? []).sort((one, other) => one - other)
  const recoveredMs = backs[Math.ceil(losses.length * RECOVERED_SHARE) - 1]
  if (recoveredMs === undefined) return losses
  return losses.filter(({ backAtMs }) => (backAtMs ?? atMs) <= recoveredMs + STRAGGLER_AFTER_MS)
}

const findAreas = (candidates: readonly Loss[], fleet: FleetHistory, atMs: number): Outage[] =>
  groupByArea(candidates, TOGETHER_MS).flatMap(({ areas, losses }) => {
    if (listTerminals(losses).size < MIN_TOGETHER) return []
    const found = measureOutage(losses, { reach: 'area', areas, fleet })
    return found.map((outage) => ({ ...outage, losses: dropStragglers(losses, atMs) }))
  })

/** The dish had power and no network. */
const lacksNetwork = (loss: Loss) => loss.lostPingsFirst && !hasLostPower(loss)

interface Parts {
  areas: readonly Outage[]
  /** Losses outside of these that show an outage of the network. */
  lone: readonly Loss[]
  fleet: FleetHistory
  atMs: number
}

/** Losses of areas stay together; others that remain lost for longer have a separate problem. */
const dropLoneStragglers = (losses: Loss[], { lone, atMs }: Parts) => {
  const isLone = new Set(lone)
  const remaining = new Set(dropStragglers(losses, atMs))
  return losses.filter((loss) => remaining.has(loss) || !isLone.has(loss))
}

/** Most of the fleet, lost at once in several areas. */
const joinFleet = (parts: Parts): Outage[] => {
  const { areas, lone, fleet } = parts
  const firsts = new Set(areas.map(({ losses }) => losses[0]))
  const inAreas = areas.flatMap(({ losses }) => losses)
  return splitByTime(inAreas, TOGETHER_MS).flatMap((run) => {
    if (run.filter((loss) => firsts.has(loss)).length < MIN_AREAS_OF_FLEET) return []
    const [fromMs, toMs] = [getStartMs(run), (run.at(-1) as Loss).lostAtMs]
    const others = lone.filter(({ lostAtMs }) => lostAtMs >= fromMs - TOGETHER_MS && lostAtMs <= toMs + TOGETHER_MS)
    const losses = dropLoneStragglers([...run, ...others], parts)
    return measureOutage(losses, { reach: 'fleet', areas: fleet.areas, fleet })
  })
}

/** The areas within the radius of these losses, and those with one of them. */
const listAreasWithin = (losses: readonly Loss[], { areas }: FleetHistory) => {
  const { center, radiusKm } = locate(losses)
  const own = new Set(losses.flatMap(({ cell }) => (cell === null ? [] : [toArea(cell)])))
  const isWithin = (area: string) =>
    center !== null && radiusKm !== null && greatCircleDistance(center, cellToLatLng(area), UNITS.km) <= radiusKm
  return [...areas].filter((area) => area !== '' && (own.has(area) || isWithin(area)))
}

/** An outage of the network can be wider than the towns in it are close, and few terminals are in each. */
const joinRegions = (parts: Parts, toRegion: ToCell): Outage[] => {
  const { areas, lone, fleet } = parts
  const isOfNetwork = ({ losses }: Outage) => losses.filter(lacksNetwork).length / losses.length >= 0.5
  const [network, rest] = [areas.filter(isOfNetwork), areas.filter((area) => !isOfNetwork(area))]
  const areaByLoss = new Map(network.flatMap((area) => area.losses.map((loss) => [loss, area] as const)))
  const joined = groupByArea([...areaByLoss.keys(), ...lone], TOGETHER_MS, toRegion).flatMap(({ losses }) => {
    const here = [...new Set(losses.flatMap((loss) => areaByLoss.get(loss) ?? []))]
    const isWider = here.length > 1 || losses.some((loss) => !areaByLoss.has(loss))
    if (!isWider || listTerminals(losses).size < MIN_TOGETHER) return here
    const members = dropLoneStragglers(losses, parts)
    const [whole] = measureOutage(members, { reach: 'area', areas: listAreasWithin(members, fleet), fleet })
    return whole ?? here
  })
  return [...rest, ...joined]
}

/** What was lost together: most of the fleet, of a region, or of an area. */
export const findOutages = (candidates: readonly Loss[], fleet: FleetHistory, atMs: number): Outage[] => {
  const areas = findAreas(candidates, fleet, atMs)
  const isInArea = new Set(areas.flatMap(({ losses }) => losses))
  const lone = candidates.filter((loss) => !isInArea.has(loss) && lacksNetwork(loss))
  const parts = { areas, lone, fleet, atMs }
  const whole = joinFleet(parts)
  const isTaken = new Set(whole.flatMap(({ losses }) => losses))
  const isLeft = (loss: Loss) => !isTaken.has(loss)
  const joined = regionSizes.reduce(
    (found: readonly Outage[], toRegion) => {
      const isJoined = new Set(found.flatMap(({ losses }) => losses))
      const left = lone.filter((loss) => isLeft(loss) && !isJoined.has(loss))
      return joinRegions({ ...parts, areas: found, lone: left }, toRegion)
    },
    areas.filter(({ losses }) => losses.every(isLeft)),
  )
  return [...whole, ...joined]
}
