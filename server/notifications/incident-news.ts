import type { Watched } from './plan-state.ts'

/** An incident starts, has grown a lot, is over for some of its terminals, or for the last of them. */
export type NewsKind = 'opening' | 'growth' | 'recovery' | 'ending'

type Member = [terminalId: string, watched: Watched]

export interface IncidentNews {
  id: string
  kind: NewsKind
  /** The terminals that the message reports. */
  members: Member[]
  /** How many of the user's terminals the incident has affected so far. */
  terminals: number
}

const MIN_GROWTH = 3

export const isOfIncident = ({ incidentId }: Watched) => incidentId !== null

const isNamed = ({ notified, hasJoined }: Watched) => notified !== 'online' && !hasJoined

/**
 * An outage in an incident that the user already knows about needs no separate message, nor does another symptom of the
 * same outage. A disabled terminal does, because someone has to act.
 */
export const joinAnnounced = (terminals: Record<string, Watched>): void => {
  const all = Object.values(terminals)
  const announced = new Set(
    all.filter((watched) => isOfIncident(watched) && isNamed(watched)).map((one) => one.incidentId),
  )
  for (const watched of all) {
    const { incidentId, isSettled, notified, now } = watched
    if (!isSettled || now === 'online' || notified === now || !announced.has(incidentId)) continue
    if (notified !== 'online' && now === 'disabled') continue
    const hasJoined = watched.hasJoined || notified === 'online'
    Object.assign(watched, { notified: now, isSettled: false, hasJoined })
  }
}

const findEnd = (id: string, members: Member[]): IncidentNews[] => {
  const back = members.filter(([, { isSettled, notified, now }]) => isSettled && now === 'online' && notified !== now)
  // Recovery does not wait for a terminal under maintenance.
  const isOver = members.every(
    ([, { isHeld, isSettled, notified, now }]) => isHeld || (now === 'online' && (isSettled || notified === now)),
  )
  if (back.length === 0 || (!isOver && back.every(([, { isWaiting }]) => isWaiting))) return []
  const terminals = members.filter(([, { notified }]) => notified !== 'online').length
  return [{ id, kind: isOver ? 'ending' : 'recovery', members: back, terminals }]
}

const findBeginning = (id: string, members: Member[]): IncidentNews[] => {
  const named = members.filter(([, watched]) => isNamed(watched)).length
  const lost = members.filter(([, { now }]) => now !== 'online')
  const unnamed = lost.filter(
    ([, { hasJoined, isSettled, notified }]) => hasJoined || (isSettled && notified === 'online'),
  )
  const disabled = lost.filter(
    ([, { isSettled, notified, now }]) => isSettled && now === 'disabled' && notified !== now,
  )
  const hasGrown = unnamed.length >= Math.max(named, MIN_GROWTH)
  if (named > 0 && hasGrown)
    return [{ id, kind: 'growth', members: [...new Set([...unnamed, ...disabled])], terminals: named + unnamed.length }]
  const reported = named === 0 ? unnamed : disabled
  return reported.length > 0 ? [{ id, kind: 'opening', members: reported, terminals: reported.length }] : []
}

/** The incident news to report at this point. */
export const listNews = (terminals: Record<string, Watched>): IncidentNews[] => {
  const members = Object.entries(terminals).filter(([, watched]) => isOfIncident(watched))
  return [...Map.groupBy(members, ([, { incidentId }]) => incidentId as string)].flatMap(([id, own]) => [
    ...findBeginning(id, own),
    ...findEnd(id, own),
  ])
}
