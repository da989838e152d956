import { type IncidentCause, outageCauses } from '#contract/incident-cause.ts'
import { getLossKey, type Loss } from '#server/incidents/loss.ts'
import { atLeast, atMost, exactly, type Figure, formatValue } from '../figure.ts'
import type { Proof } from '../proof.ts'
import { measureWarnings } from './early-warnings.ts'
import { buildWorld, type Outcome, replay, SHORTEST_SEEN_MS } from './replay.ts'
import { type Episode, type Scenario, scenarios } from './scenarios.ts'

const SEEDS = { short: [3, 11, 27], full: [3, 11, 27, 42, 58, 77, 91, 104, 133, 150] }
const LIMIT = 0.95
const VERDICT_WITHIN_S = 180
/** While nothing at all arrives, a global outage looks like a late feed. */
const SILENT = 'global outage'
const LATE = ['the vendor is late', 'our feed is late']

const SLACK_MS = 60_000

/** The true cause of a loss; null if the terminal was working. */
const findTruth = (episodes: readonly Episode[], { terminalId, lostAtMs }: Loss): IncidentCause | null =>
  episodes.find(
    ({ terminal, fromMs, toMs }) =>
      terminal.index === terminalId &&
      lostAtMs >= fromMs - SLACK_MS &&
      lostAtMs <= Math.min(toMs, fromMs + 2 * SLACK_MS),
  )?.cause ?? null

/**
 * Episodes that are long enough to be noticed and do not begin while the terminal is already down for another reason.
 */
const listExpected = ({ episodes, fromMs: beginMs }: Outcome) =>
  episodes.filter(({ terminal, fromMs, toMs }) => {
    if (fromMs < beginMs || toMs - fromMs < SHORTEST_SEEN_MS || terminal.line === null || terminal.role !== 'ordinary')
      return false
    return !episodes.some(
      (other) => other.terminal === terminal && other.fromMs < fromMs && other.toMs > fromMs - SHORTEST_SEEN_MS,
    )
  })

interface Score {
  /** By true cause, then by verdict; 'none' for a false positive or a miss. */
  matrix: Map<string, Map<string, number>>
  right: number
  found: number
  expected: number
  seen: number
  slowestS: number
  rightAtFirst: number
}

const count = (matrix: Score['matrix'], truth: string, verdict: string) => {
  const row = matrix.get(truth) ?? new Map<string, number>()
  row.set(verdict, (row.get(verdict) ?? 0) + 1)
  matrix.set(truth, row)
}

const score = (outcomes: readonly Outcome[]): Score => {
  const total: Score = { matrix: new Map(), right: 0, found: 0, expected: 0, seen: 0, slowestS: 0, rightAtFirst: 0 }
  for (const outcome of outcomes) {
    for (const loss of outcome.losses) {
      const key = getLossKey(loss)
      const truth = findTruth(outcome.episodes, loss)
      const verdict = outcome.verdicts.get(key)?.cause
      count(total.matrix, truth ?? 'none', verdict ?? 'none')
      total.found++
      if (truth === verdict) total.right++
      const first = outcome.first.get(key)
      if (first) total.slowestS = Math.max(total.slowestS, (first.atMs - loss.lostAtMs) / 1000)
      if (first?.cause === truth) total.rightAtFirst++
    }
    for (const episode of listExpected(outcome)) {
      total.expected++
      const isSeen = outcome.losses.some(
        (loss) =>
          loss.terminalId === episode.terminal.index &&
          findTruth([episode], loss) !== null &&
          outcome.verdicts.get(getLossKey(loss))?.cause === episode.cause,
      )
      if (isSeen) total.seen++
      else count(total.matrix, episode.cause, 'missed')
    }
  }
  return total
}

const formatMatrix = ({ matrix }: Score) =>
  [...outageCauses, 'none']
    .flatMap((truth) => {
      const row = matrix.get(truth)
      return row ? [`${truth}: ${[...row].map(([verdict, times]) => `${times} ${verdict}`).join(', ')}`] : []
    })
    .join('; ')

const toFigures = ({ name }: Scenario, total: Score): Figure[] => {
  const right = atLeast(
    `${name}: share of ${total.found} losses with the right cause, and by true cause the verdicts`,
    total.right / Math.max(1, total.found),
    LIMIT,
  )
  const matrix = formatMatrix(total)
  return [
    { ...right, value: matrix === '' ? right.value : `${formatValue(right.value)} (${matrix})` },
    atLeast(
      `${name}: share of ${total.expected} outages found with the right cause`,
      total.expected === 0 ? 1 : total.seen / total.expected,
      LIMIT,
    ),
  ]
}

export const incidents: Proof = {
  name: 'incidents',
  about:
    'Simulated outages of known cause: how many are found, and how often the verdict is right. Slow decay: how early it is warned of, and how often without a reason.',
  run: async ({ form, log }): Promise<Figure[]> => {
    const figures: Figure[] = []
    let slowestS = 0
    let called = 0
    const outcomes = new Map<Scenario, Outcome[]>(scenarios.map((scenario) => [scenario, []]))
    for (const seed of SEEDS[form]) {
      const world = buildWorld(seed)
      for (const [scenario, ofSeeds] of outcomes) ofSeeds.push(replay(scenario, world))
    }
    for (const [scenario, ofSeeds] of outcomes) {
      const total = score(ofSeeds)
      log(`${scenario.name}: ${total.rightAtFirst} of ${total.found} losses have the right cause at first`)
      figures.push(...toFigures(scenario, total))
      if (scenario.name !== SILENT && !LATE.includes(scenario.name)) slowestS = Math.max(slowestS, total.slowestS)
      if (LATE.includes(scenario.name))
        called += [...(total.matrix.get('none') ?? new Map()).values()].reduce((sum, each) => sum + each, 0)
    }
    log('early warnings')
    return [
      ...figures,
      ...measureWarnings(form),
      atMost(
        'slowest verdict after the first row that did not come, in the time of the simulation',
        slowestS,
        VERDICT_WITHIN_S,
        'seconds',
      ),
      exactly('outages claimed while only the data was late', called, 0),
    ]
  },
}
