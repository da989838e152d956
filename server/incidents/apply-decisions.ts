import { buildIncident, type FoundIncident, type Verdict } from './build-incident.ts'
import { getLossKey, type Loss } from './loss.ts'

/** A manual decision: that losses are one incident, or that they are separate from the others. */
export interface Decision {
  kind: 'merge' | 'split'
  /** The resulting incident. */
  incidentId: string
  /** The keys of the losses. */
  losses: ReadonlySet<string>
}

const countTerminals = (losses: readonly Loss[]) => new Set(losses.map(({ terminalId }) => terminalId)).size

/** The part with the most terminals determines the verdict on the whole. */
const joinVerdicts = (parts: readonly FoundIncident[]): Verdict => {
  const [largest] = parts.toSorted(
    (one, other) => countTerminals(other.losses) - countTerminals(one.losses) || other.confidence - one.confidence,
  ) as [FoundIncident]
  const terminals = countTerminals(parts.flatMap(({ losses }) => losses))
  const { cause, confidence, reach, evidence } = largest
  return {
    cause,
    confidence,
    reach: reach === 'terminal' && terminals > 1 ? 'several' : reach,
    observed: Math.max(terminals, evidence.observed),
  }
}

/** The remaining losses of an incident keep its verdict. */
const leaveOut = (incident: FoundIncident, isTaken: (loss: Loss) => boolean): FoundIncident[] => {
  const left = incident.losses.filter((loss) => !isTaken(loss))
  if (left.length === incident.losses.length) return [incident]
  if (left.length === 0) return []
  const { cause, confidence, reach, evidence } = incident
  const verdict: Verdict = {
    cause,
    confidence,
    observed: evidence.observed,
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

/** Applies manual decisions to the found incidents, in chronological order. */
export const applyDecisions = (
  found: readonly FoundIncident[],
  decisions: readonly Decision[],
  judgeApart: JudgeApart,
): FoundIncident[] =>
  decisions.reduce<FoundIncident[]>(
    (now, decision) => (decision.kind === 'merge' ? merge(now, decision) : split(now, decision, judgeApart)),
    [...found],
  )
