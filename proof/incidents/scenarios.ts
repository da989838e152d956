import type { IncidentCause } from '#contract/incident-cause.ts'
import type { Fleet, Terminal } from '#simulator/fleet.ts'
import { between, unit } from '#simulator/noise.ts'
import type { Reading } from '#simulator/reading.ts'

const MINUTE_MS = 60_000

/** A period in which a terminal is down, and why. */
export interface Episode {
  terminal: Terminal
  cause: IncidentCause
  fromMs: number
  toMs: number
}

export interface Story {
  episodes: Episode[]
  /** The reading of a terminal as changed by the story; null if it does not report. */
  change?: (terminal: Terminal, reading: Reading, atMs: number) => Reading | null
  /** When a row of this time arrives. */
  arrivesAtMs?: (atMs: number) => number
}

export interface Scenario {
  name: string
  /** From `startMs` on, for at most four hours. */
  createStory: (fleet: Fleet, startMs: number) => Story
}

/** Random but deterministic choices of a story. */
const PURPOSE = 9_000
const draw = (fleet: Fleet, terminal: Terminal, what: number) => unit(fleet.seed, terminal.index, what, PURPOSE)

const pickSome = (fleet: Fleet, count: number, isWanted: (terminal: Terminal) => boolean = () => true) =>
  fleet.terminals
    .filter((terminal) => terminal.role === 'ordinary' && terminal.line !== null && isWanted(terminal))
    .sort((one, other) => draw(fleet, one, 1) - draw(fleet, other, 1))
    .slice(0, count)

const findEpisode = (episodes: ReadonlyMap<Terminal, readonly Episode[]>, terminal: Terminal, atMs: number) =>
  episodes.get(terminal)?.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs)

type Changed = (reading: Reading, episode: Episode, atMs: number) => Reading | null

/**
 * A story in which each episode changes the readings of its terminal in the same way, including a while around it.
 */
const buildEpisodeStory = (
  all: Episode[],
  during: Changed,
  around: (reading: Reading, nearest: Episode, atMs: number) => Reading = (reading) => reading,
): Story => {
  const byTerminal = Map.groupBy(all, ({ terminal }) => terminal)
  return {
    episodes: all,
    change: (terminal, reading, atMs) => {
      const episode = findEpisode(byTerminal, terminal, atMs)
      if (episode) return during(reading, episode, atMs)
      const last = byTerminal.get(terminal)?.findLast(({ fromMs }) => fromMs <= atMs) ?? byTerminal.get(terminal)?.[0]
      return last ? around(reading, last, atMs) : reading
    },
  }
}

const goDark: Changed = () => null

/** The dish has power and no network: one row with all pings lost, then none. */
const loseNetwork: Changed = (reading, { fromMs }, atMs) =>
  atMs < fromMs + 15_000 ? { ...reading, pingDrop: 1, latencyMs: 0, downlinkMbps: 0, uplinkMbps: 0 } : null

const restart = (reading: Reading, { toMs }: Episode, atMs: number, alerts: string[]): Reading =>
  atMs < toMs
    ? reading
    : {
        ...reading,
        uptimeS: Math.floor((atMs - toMs) / 1000),
        alerts: atMs < toMs + 30_000 ? [...reading.alerts, ...alerts] : reading.alerts,
      }

const outage = (terminals: readonly Terminal[], startMs: number, minutes: number) =>
  buildEpisodeStory(
    terminals.map((terminal) => ({ terminal, cause: 'network', fromMs: startMs, toMs: startMs + minutes * MINUTE_MS })),
    loseNetwork,
  )

export const scenarios: Scenario[] = [
  { name: 'global outage', createStory: (fleet, startMs) => outage(fleet.terminals, startMs, 120) },
  {
    name: 'outage of an area',
    createStory: (fleet, startMs) => {
      const places = Map.groupBy(fleet.terminals, ({ place }) => place)
      const [largest] = [...places.values()].sort((one, other) => other.length - one.length)
      return outage(largest ?? [], startMs, 35)
    },
  },
  {
    name: 'power cuts of single terminals',
    createStory: (fleet, startMs) =>
      buildEpisodeStory(
        pickSome(fleet, 6).map((terminal) => {
          const fromMs = startMs + draw(fleet, terminal, 2) * 120 * MINUTE_MS
          const toMs = fromMs + between(8, 60, draw(fleet, terminal, 3)) * MINUTE_MS
          return { terminal, cause: 'power', fromMs, toMs }
        }),
        goDark,
        (reading, episode, atMs) => restart(reading, episode, atMs, ['power_disconnect_detected']),
      ),
  },
  {
    name: 'snow',
    createStory: (fleet, startMs) => {
      const region = pickSome(fleet, 1)[0]?.place.region
      const covered = pickSome(fleet, 8, ({ place }) => place.region === region)
      const episodes = covered.map((terminal, index): Episode => {
        const fromMs = startMs + (30 + index * 14) * MINUTE_MS
        return { terminal, cause: 'obstruction', fromMs, toMs: fromMs + 50 * MINUTE_MS }
      })
      const dim = (reading: Reading, { fromMs }: Episode, atMs: number) => {
        const minutesBefore = Math.max(0, (fromMs - atMs) / MINUTE_MS)
        return { ...reading, signalQuality: Math.min(reading.signalQuality, 0.4 + minutesBefore / 60) }
      }
      return buildEpisodeStory(episodes, goDark, dim)
    },
  },
  {
    name: 'quota',
    createStory: (fleet, startMs) =>
      buildEpisodeStory(
        pickSome(fleet, 4).map((terminal) => ({
          terminal,
          cause: 'quota',
          fromMs: startMs,
          toMs: startMs + 120 * MINUTE_MS,
        })),
        (reading) => ({ ...reading, alerts: [...reading.alerts, 'disabled_data_usage_exceeded_quota'] }),
      ),
  },
  {
    name: 'the vendor is late',
    createStory: (_, startMs) => ({
      episodes: [],
      arrivesAtMs: (atMs) => (atMs >= startMs && atMs < startMs + 60 * MINUTE_MS ? atMs + 30 * MINUTE_MS : atMs),
    }),
  },
  {
    name: 'our feed is late',
    createStory: (_, startMs) => ({
      episodes: [],
      arrivesAtMs: (atMs) =>
        atMs >= startMs && atMs < startMs + 25 * MINUTE_MS ? Math.max(atMs, startMs + 25 * MINUTE_MS) : atMs,
    }),
  },
  {
    name: 'night of updates',
    createStory: (fleet, startMs) =>
      buildEpisodeStory(
        pickSome(fleet, 20).map((terminal, index) => {
          const fromMs = startMs + index * 6 * MINUTE_MS
          return { terminal, cause: 'planned', fromMs, toMs: fromMs + 5 * MINUTE_MS }
        }),
        goDark,
        (reading, episode, atMs) =>
          atMs < episode.fromMs
            ? { ...reading, alerts: [...reading.alerts, 'software_update_reboot_pending'] }
            : { ...restart(reading, episode, atMs, []), softwareVersion: 'next' },
      ),
  },
  {
    name: 'flapping',
    createStory: (fleet, startMs) =>
      buildEpisodeStory(
        pickSome(fleet, 2).flatMap((terminal) =>
          Array.from({ length: 6 }, (_, index): Episode => {
            const fromMs = startMs + index * 14 * MINUTE_MS
            return { terminal, cause: 'obstruction', fromMs, toMs: fromMs + 6 * MINUTE_MS }
          }),
        ),
        goDark,
        (reading) => ({ ...reading, obstruction: 0.2 }),
      ),
  },
]
