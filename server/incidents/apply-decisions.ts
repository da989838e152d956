import { buildIncident, type FoundIncident, type Verdict } from './build-incident.ts'
import { getLossKey, type Loss } from './loss.ts'

/** What somebody decided by hand: that losses are one incident, or that they are one apart from the others. */
export interface Decision {
  kind: 'merge' | 'split'
  /** The incident that they became. */
  incidentId: string
  /** The keys of the losses. */
  losses: ReadonlySet<string>
}

const countTerminals = (losses: readonly Loss[]) => new Set(losses.map(({ terminalId }) => terminalId)).size

/** The verdict on the part with the most terminals is that on the whole. */
const joinVerdicts = (parts: readonly FoundIncident[]): Verdict => {
  const [largest] = parts.toSorted(
    (one, other) => countTerminals(other.losses) - countTerminals(one.losses) || other.confidence - one.confidence,
  ) as [FoundIncident]
  const terminals = countTerminals(parts.flatMap(({ losses }) => losses))
  const { cause, confidence, reach, evidence } = largest
  return {
    ...{ cause, confidence },
    reach: reach === 'terminal' && terminals > 1 ? 'several' : reach,
    observed: Math.max(terminals, evidence.observed),
  }
}

/** What is left of an incident keeps its verdict. */
const leaveOut = (incident: FoundIncident, isTaken: (loss: Loss) => boolean): FoundIncident[] => {
  const left = incident.losses.filter((loss) => !isTaken(loss))
  if (left.length === incident.losses.length) return [incident]
  if (left.length === 0) return []
  const { cause, confidence, reach, evidence } = incident
  const verdict: Verdict = {
    ...{ cause, confidence, observed: evidence.observed },
    reach: countTerminals(left) === 1 ? 'terminal' : reach,
  }
  return [{ ...buildIncident(left, verdict), id: incident.id }]
}

const merge = (found: readonly FoundIncident[], { incidentId, losses }: Decision): FoundIncident[] => {
  const parts = found.filter((incident) => incident.losses.some((loss) => losses.has(getLossKey(loss))))
  if (parts.length === 0) return [...found]
  const whole = buildIncident(
    parts.flatMap((part) => part.losses),
    joinVerdicts(parts),
  )
  return [...found.filter((incident) => !parts.includes(incident)), { ...whole, id: incidentId }]
}

type JudgeApart = (losses: readonly Loss[]) => Verdict

const split = (
  found: readonly FoundIncident[],
  { incidentId, losses }: Decision,
  judgeApart: JudgeApart,
): FoundIncident[] => {
  const isTaken = (loss: Loss) => losses.has(getLossKey(loss))
  const taken = found.flatMap((incident) => incident.losses.filter(isTaken))
  if (taken.length === 0) return [...found]
  const apart = { ...buildIncident(taken, judgeApart(taken)), id: incidentId }
  return [...found.flatMap((incident) => leaveOut(incident, isTaken)), apart]
}

/** Changes what was found into what people decided, in the order in which they did. */
export const applyDecisions = (
  found: readonly FoundIncident[],
  decisions: readonly Decision[],
  judgeApart: JudgeApart,
): FoundIncident[] =>
  decisions.reduce<FoundIncident[]>(
    (now, decision) => (decision.kind === 'merge' ? merge(now, decision) : split(now, decision, judgeApart)),
    [...found],
  )
