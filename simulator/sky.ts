import type { Fleet, Terminal } from './fleet.ts'
import { between, gauss, unit } from './noise.ts'
import { findLastOccurrence } from './occurrences.ts'
import { PURPOSE } from './purposes.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Weather = { rain: number; snow: number }

const FRONTS_PER_YEAR = 90
const CLEAR: Weather = { rain: 0, snow: 0 }

const isWinter = (atMs: number) => {
  const month = new Date(atMs).getUTCMonth()
  return month >= 9 || month <= 3
}

/** The newest front over a region: its peak strength, and how far it has passed. */
const findFront = (seed: number, region: number, atMs: number) => {
  const { index, startMs } = findLastOccurrence(seed, region, PURPOSE.weather, FRONTS_PER_YEAR, atMs)
  const lengthMs = between(3, 14, unit(seed, region, index, PURPOSE.weatherLength)) * HOUR_MS
  const strength = between(0.4, 1, unit(seed, region, index, PURPOSE.weatherStrength))
  return { strength, progress: (atMs - startMs) / lengthMs, endMs: startMs + lengthMs }
}

/** The strength, 0–1, of the current front over a region: snow from October to April, otherwise rain. */
const getWeather = (seed: number, region: number, atMs: number): Weather => {
  const { strength, progress } = findFront(seed, region, atMs)
  if (progress >= 1) return CLEAR
  const now = strength * Math.sin(Math.PI * progress)
  return isWinter(atMs) ? { rain: 0, snow: now } : { rain: now, snow: 0 }
}

const CRUST_LASTS_MS = 3 * DAY_MS
const HEAVY = 0.7

/** After heavy snow a crust stays on the dish and melts within days. */
const getCrust = (seed: number, { index, place }: Terminal, atMs: number) => {
  const { strength, endMs } = findFront(seed, place.region, atMs)
  const ageMs = atMs - endMs
  if (!isWinter(atMs) || strength < HEAVY || ageMs < 0 || ageMs > CRUST_LASTS_MS) return 0
  return 0.08 * unit(seed, index, 0, PURPOSE.crust) * (1 - ageMs / CRUST_LASTS_MS)
}

/** How much of the foliage is out, 0–1: leaves open in May and fall in late September. */
const getLeaves = (atMs: number) => {
  const year = new Date(atMs).getUTCFullYear()
  const open = (atMs - Date.UTC(year, 4, 8)) / (24 * DAY_MS)
  const fallen = (atMs - Date.UTC(year, 8, 18)) / (21 * DAY_MS)
  return Math.min(1, Math.max(0, open)) - Math.min(1, Math.max(0, fallen))
}

/** Whether trees obstruct a dish's view; a clear sky and a wall do not change with the seasons. */
const isOfTrees = ({ obstruction }: Terminal) => obstruction >= 0.003 && obstruction <= 0.03

/** Something that slowly degrades the view or the signal of a dish, until someone fixes it. */
export type Decay = { kind: 'growing tree' | 'leaning mast' | 'snow load'; share: number }

const DECAY_LASTS_DAYS = 80
/** Decays are out of phase, so that some are always in progress. */
const DECAY_EVERY_DAYS = 110
const ONE_IN = 30
const CAUSES: Record<number, Decay['kind']> = { 7: 'growing tree', 22: 'leaning mast' }

/** The decay of a terminal at a moment, from 0 at its start to 1 when it interrupts service. */
const findDecay = ({ index, role, kind: use }: Terminal, atMs: number): Decay | null => {
  const kind = CAUSES[index % ONE_IN]
  if (kind === undefined || role !== 'ordinary' || use === 'vessel' || use === 'truck') return null
  const offset = Math.floor(index / (ONE_IN / 2)) * (DECAY_EVERY_DAYS / 4)
  const days = (atMs / DAY_MS + offset) % DECAY_EVERY_DAYS
  return days < DECAY_LASTS_DAYS ? { kind, share: days / DECAY_LASTS_DAYS } : null
}

const HURTS = { obstruction: 0.05, signal: 0.8 }
const CLEAN_SIGNAL = 0.975

/** How much a decay reduces the signal and adds to the obstruction. */
const applyDecay = (decay: Decay | null, obstruction: number) => {
  if (decay === null) return { obstruction, signalLoss: 0 }
  const { kind, share } = decay
  const toObstruction = kind === 'growing tree' ? HURTS.obstruction : Math.max(obstruction, 0.02)
  const signalLoss = (CLEAN_SIGNAL - HURTS.signal) * share * (kind === 'growing tree' ? 0.2 : 1)
  return { obstruction: Math.max(obstruction, between(obstruction, toObstruction, share)), signalLoss }
}

type Sky = { weather: Weather; obstruction: number; signalQuality: number }

const drawSignal = (share: number, snow: number) => {
  const clear = between(0.95, 1, share)
  return snow > 0.25 ? Math.min(clear, between(0.8, 0.4, Math.min(1, (snow - 0.25) / 0.75))) : clear
}

/** A dish's view of the sky at a moment, given weather and season. */
export const readSky = (
  { seed }: Fleet,
  terminal: Terminal,
  atMs: number,
  signalShare: number,
  decay: Decay | null = findDecay(terminal, atMs),
): Sky => {
  const { index, place } = terminal
  const weather = getWeather(seed, place.region, atMs)
  const season = isOfTrees(terminal) ? 0.75 + 0.25 * getLeaves(atMs) : 1
  // The vendor's figure covers the last hours, so it varies from day to day.
  const day = Math.floor(atMs / DAY_MS)
  const unrest = 1 + 0.06 * gauss(seed, index, day, PURPOSE.obstructionOfDay)
  const { obstruction, signalLoss } = applyDecay(decay, terminal.obstruction * season)
  const signal = drawSignal(signalShare, weather.snow) - signalLoss - getCrust(seed, terminal, atMs)
  return {
    weather,
    obstruction: Math.max(0, obstruction * unrest),
    signalQuality: Math.max(0.4, Math.min(1, signal + 0.004 * gauss(seed, index, day, PURPOSE.signalOfDay))),
  }
}
