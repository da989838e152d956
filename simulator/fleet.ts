import { getMeanDailyGb, type Kind } from './activity.ts'
import {
  buildAccountNumber,
  buildDishSerial,
  buildKitSerial,
  buildLineNumber,
  buildRouterId,
  buildTerminalId,
  buildUuid,
} from './identifiers.ts'
import { chooseName, createNameRegister } from './names.ts'
import { between, lognormal, pick, round, unit } from './noise.ts'
import { getPlace, PLACES, type Place, STREETS } from './places.ts'
import { choosePlan, type Plan } from './plans.ts'
import { PURPOSE } from './purposes.ts'
import { assignRoles, type Role } from './roles.ts'

export type Terminal = {
  index: number
  account: number
  kind: Kind
  place: Place
  terminalId: string
  kitSerial: string
  dishSerial: string
  routerIds: string[]
  /** Null for a spare dish that is not installed. */
  line: Line | null
  latitude: number
  longitude: number
  busyMedianMbps: number
  /** A factor for the busy time of its kind; some terminals hardly use their link. */
  intensity: number
  /** Share of time without a view of the sky. */
  obstruction: number
  role: Role
  /** Its position among the account's ordinary terminals, which go offline one after another. */
  turn: number
}

export type Line = {
  number: string
  account: number
  terminal: Terminal | null
  nickname: string
  plan: Plan
  place: Place
  latitude: number
  longitude: number
  street: string
  addressId: string
  startedMs: number
  /** Set for a canceled line. Seasonal lines are paused, not ended. */
  endedMs: number | null
  publicIp: boolean
  optedIn: boolean
}

export type FleetAccount = {
  index: number
  number: string
  name: string
  terminals: Terminal[]
  lines: Line[]
  /** At most this many ordinary terminals are offline at any moment. */
  offlineCount: number
  ordinaryCount: number
}

export type Fleet = {
  seed: number
  accounts: FleetAccount[]
  terminals: Terminal[]
}

const MIN_TERMINALS_FOR_ODD_LINES = 20
const MIN_TERMINALS_FOR_OFFLINE = 10
const MAX_OFFLINE_SHARE = 0.053
const PORTS = ['Kodiak', 'Unalaska', 'Dillingham']
const CAMP_PLACES = ['Deadhorse', 'Utqiaġvik', 'Kotzebue', 'Nome', 'McGrath', 'Galena', 'Cordova', 'St Paul', 'Adak']
const TOWNS = PLACES.filter(({ name }) => name !== 'Attu' && name !== 'Deadhorse')

/** The first terminals are the same in every fleet, so that even a small one shows each kind. */
const OPENING: readonly { kind: Kind; place: string; name: string }[] = [
  { kind: 'office', place: 'Nome', name: 'Nome School' },
  { kind: 'camp', place: 'Attu', name: 'Attu Station' },
  { kind: 'vessel', place: 'Kodiak', name: 'F/V Aurora Dawn' },
  { kind: 'camp', place: 'Deadhorse', name: 'Deadhorse Camp' },
  { kind: 'truck', place: 'Fairbanks', name: 'Dalton Hauler' },
  { kind: 'home', place: 'Utqiaġvik', name: 'Utqiaġvik Teacher Housing' },
]

/** Builds the fleet. Everything it reports is computed from this and the time. */
export const buildFleet = (seed: number, terminalsByAccount: readonly number[]): Fleet => {
  const total = terminalsByAccount.reduce((sum, count) => sum + count, 0)
  const getRole = assignRoles(seed, total, OPENING.length)
  const makeUnique = createNameRegister()
  const spreadDegrees = total > 2_000 ? 0.4 : 0.05
  const fleet: Fleet = { seed, accounts: [], terminals: [] }

  for (const [account, count] of terminalsByAccount.entries()) {
    const isBig = count >= MIN_TERMINALS_FOR_ODD_LINES
    const terminals: Terminal[] = []
    const lines: Line[] = []
    for (let nth = 0; nth < count; nth++) {
      const index = fleet.terminals.length
      const role = getRole(index)
      const isSpare = isBig && nth === count - 1
      const terminal = createTerminal(seed, index, account, isSpare ? { role: 'noData', turn: 0 } : role, spreadDegrees)
      if (!isSpare) lines.push(createLine(seed, index, terminal, makeUnique))
      terminals.push(terminal)
      fleet.terminals.push(terminal)
    }
    if (isBig) lines.push(...createOddLines(seed, account, makeUnique))
    // The vendor lists the newest line first.
    lines.sort((a, b) => b.startedMs - a.startedMs)
    fleet.accounts.push({
      index: account,
      number: buildAccountNumber(seed, account),
      name: `Simulated account ${account + 1}`,
      terminals,
      lines,
      offlineCount: count < MIN_TERMINALS_FOR_OFFLINE ? 0 : Math.max(1, Math.round(count * MAX_OFFLINE_SHARE)),
      ordinaryCount: assignTurns(terminals),
    })
  }
  return fleet
}

/** Numbers the ordinary terminals of an account without gaps. Returns how many there are. */
const assignTurns = (terminals: readonly Terminal[]) => {
  const ordinary = terminals.filter(({ role }) => role === 'ordinary').sort((a, b) => a.turn - b.turn)
  for (const [turn, terminal] of ordinary.entries()) terminal.turn = turn
  return ordinary.length
}

const createTerminal = (
  seed: number,
  index: number,
  account: number,
  { role, turn }: { role: Role; turn: number },
  spreadDegrees: number,
): Terminal => {
  const draw = (what: number) => unit(seed, index, 0, what)
  const opening = OPENING[index]
  const kind = opening?.kind ?? (role === 'seasonal' ? 'lodge' : chooseKind(draw(PURPOSE.kind)))
  const place = opening ? getPlace(opening.place) : choosePlace(kind, draw(PURPOSE.place))
  const routers = draw(PURPOSE.routers) < 0.11 ? 0 : draw(PURPOSE.routers) > 0.97 ? 2 : 1
  return {
    index,
    account,
    kind,
    place,
    terminalId: buildTerminalId(seed, index),
    kitSerial: buildKitSerial(seed, index),
    dishSerial: buildDishSerial(seed, index),
    routerIds: Array.from({ length: routers }, (_, nth) => buildRouterId(seed, index, nth)),
    line: null,
    latitude: round(place.latitude + between(-1, 1, draw(PURPOSE.latitude)) * spreadDegrees, 6),
    longitude: round(place.longitude + between(-2, 2, draw(PURPOSE.longitude)) * spreadDegrees, 6),
    busyMedianMbps: between(2, 8, draw(PURPOSE.busyMedian)),
    intensity: chooseIntensity(draw(PURPOSE.intensity), unit(seed, index, 1, PURPOSE.intensity)),
    obstruction: chooseObstruction(draw(PURPOSE.obstruction), unit(seed, index, 1, PURPOSE.obstruction)),
    role,
    turn,
  }
}

const createLine = (seed: number, index: number, terminal: Terminal, nameOnce: (name: string) => string): Line => {
  const draw = (what: number) => unit(seed, index, 0, what)
  const { kind, place } = terminal
  const name =
    OPENING[index]?.name ?? chooseName(kind, place.name, draw(PURPOSE.noun), unit(seed, index, 1, PURPOSE.noun))
  const isMobile = kind === 'vessel' || kind === 'truck'
  const meanGb = (weekday: number) => getMeanDailyGb(kind, terminal.busyMedianMbps, weekday) * terminal.intensity
  const monthlyGb = (meanGb(3) * 5 + meanGb(0) * 2) * 4.35
  // Some customers choose a plan that is too small; most choose one with room to spare.
  const wantedGb = monthlyGb * lognormal(1.15, 0.3, between(-1.6, 1.6, draw(PURPOSE.plan)))
  const line: Line = {
    number: buildLineNumber(seed, index),
    account: terminal.account,
    terminal,
    nickname: nameOnce(name),
    plan: choosePlan(isMobile ? 'global' : 'local', wantedGb),
    place,
    latitude: isMobile ? place.latitude : terminal.latitude,
    longitude: isMobile ? place.longitude : terminal.longitude,
    street: `${1 + Math.floor(draw(PURPOSE.street) * 980)} ${pick(STREETS, unit(seed, index, 1, PURPOSE.street))}`,
    addressId: buildUuid(seed, index, 1),
    startedMs: Date.UTC(2023, 2, 1) + Math.floor(draw(PURPOSE.started) * 900) * 86_400_000,
    endedMs: null,
    publicIp: draw(PURPOSE.publicIp) < 0.15,
    optedIn: draw(PURPOSE.optIn) < 0.1,
  }
  terminal.line = line
  return line
}

/** Lines without a terminal: three canceled ones and one whose kit has not arrived. */
const createOddLines = (seed: number, account: number, nameOnce: (name: string) => string): Line[] =>
  [0, 1, 2, 3].map((nth) => {
    const index = 2_000_000 + account * 10 + nth
    const place = pick(TOWNS, unit(seed, index, 0, PURPOSE.place))
    const isEnded = nth < 3
    return {
      number: buildLineNumber(seed, index),
      account,
      terminal: null,
      nickname: nameOnce(isEnded ? `${place.name} Old Depot` : `${place.name} New Clinic`),
      plan: choosePlan('local', 50),
      place,
      latitude: place.latitude,
      longitude: place.longitude,
      street: `${100 + nth} ${pick(STREETS, unit(seed, index, 0, PURPOSE.street))}`,
      addressId: buildUuid(seed, index, 1),
      startedMs: Date.UTC(2023, 4, 1 + nth),
      endedMs: isEnded ? Date.UTC(2025, 8, 10 + nth) : null,
      publicIp: false,
      optedIn: false,
    }
  })

const chooseKind = (share: number): Kind => {
  if (share < 0.46) return 'home'
  if (share < 0.72) return 'office'
  if (share < 0.84) return 'camp'
  if (share < 0.95) return 'vessel'
  return 'truck'
}

const choosePlace = (kind: Kind, share: number): Place => {
  if (kind === 'vessel') return getPlace(pick(PORTS, share))
  if (kind === 'truck') return getPlace('Fairbanks')
  if (kind === 'camp') return getPlace(pick(CAMP_PLACES, share))
  return pick(TOWNS, share)
}

const chooseIntensity = (share: number, depth: number) =>
  share < 0.2 ? between(0.05, 0.12, depth) : between(0.6, 1.1, depth)

const chooseObstruction = (share: number, depth: number) => {
  if (share < 0.7) return between(0, 0.001, depth)
  if (share < 0.94) return between(0.003, 0.03, depth)
  return between(0.05, 0.15, depth)
}
