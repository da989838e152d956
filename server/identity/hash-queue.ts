import { ApiError } from '#contract/errors.ts'

/**
 * `known`: from a network from which a user of the tenant has signed in before. `stranger`: from any other. `bulk`:
 * passwords set for other users, many at once.
 */
export const LANES = ['known', 'stranger', 'bulk'] as const
export type Lane = (typeof LANES)[number]

/** The requester of a turn. Turns rotate between tenants, and within a tenant between networks. */
export interface Requester {
  tenantId: string
  network: string
  lane: Lane
}

export interface QueueLimits {
  maxConcurrent: number
  /** The maximum number of waiting sign-ins; the bulk lane has a queue of the same size. */
  maxWaiting: number
  /** A sign-in that has waited longer is refused when its turn comes. Bulk work that has waited longer goes first. */
  maxWaitMs: number
  now: () => number
}

/** `full`: its tenant filled the queue. `late`: it had waited too long when its turn came. */
export const REFUSALS = ['full', 'late'] as const
type Refusal = (typeof REFUSALS)[number]

interface Entry extends Requester {
  sinceMs: number
  begin: () => void
  refuse: (error: Error) => void
}

interface TenantQueue {
  /** By lane and network. The first network of a lane is served next. */
  waiting: Record<Lane, Map<string, Entry[]>>
  running: Record<Lane, number>
}

const RETRY_AFTER_S = 5
// Created once: refusing a sign-in should cost as little as possible.
const busy = new ApiError(503, 'busy', 'The service is busy. Please try again.', RETRY_AFTER_S)

const createTenantQueue = (): TenantQueue => ({
  waiting: { known: new Map(), stranger: new Map(), bulk: new Map() },
  running: { known: 0, stranger: 0, bulk: 0 },
})

const count = (networks: Map<string, Entry[]>) => {
  let total = 0
  for (const entries of networks.values()) total += entries.length
  return total
}

const countSignIns = ({ waiting }: TenantQueue) => count(waiting.known) + count(waiting.stranger)
const countBulk = ({ waiting }: TenantQueue) => count(waiting.bulk)

const moveToEnd = <Value>(map: Map<string, Value>, key: string, value: Value) => {
  map.delete(key)
  map.set(key, value)
}

/** The oldest entry of the network that is next in turn. */
const takeNext = (networks: Map<string, Entry[]>) => {
  const [next] = networks
  if (!next) return undefined
  const [network, entries] = next
  const entry = entries.shift()
  if (entries.length > 0) moveToEnd(networks, network, entries)
  else networks.delete(network)
  return entry
}

/** The newest entry of the network with the most entries. */
const takeFromFullest = (networks: Map<string, Entry[]>) => {
  let fullest: [string, Entry[]] | undefined
  // Of equally full networks, the one added last.
  for (const each of networks) if (!fullest || each[1].length >= fullest[1].length) fullest = each
  if (!fullest) return undefined
  const [network, entries] = fullest
  const entry = entries.pop()
  if (entries.length === 0) networks.delete(network)
  return entry
}

/**
 * Runs a few tasks at a time in round-robin order, and refuses those that would wait too long. No requester can starve
 * the others: the strangers of one tenant get at most half of the slots, and so does the bulk lane of all tenants
 * together, with one slot per tenant.
 */
export const createQueue = ({ maxConcurrent, maxWaiting, maxWaitMs, now }: QueueLimits) => {
  const half = Math.max(1, Math.floor(maxConcurrent / 2))
  /** The first tenant is served next. */
  const tenants = new Map<string, TenantQueue>()
  const refused: Record<Lane, Record<Refusal, number>> = {
    known: { full: 0, late: 0 },
    stranger: { full: 0, late: 0 },
    bulk: { full: 0, late: 0 },
  }

  const sum = (value: (queue: TenantQueue) => number) => {
    let total = 0
    for (const queue of tenants.values()) total += value(queue)
    return total
  }
  const countRunning = (lane: Lane) => sum(({ running }) => running[lane])

  const removeIfEmpty = (tenantId: string) => {
    const queue = tenants.get(tenantId)
    if (queue && LANES.every((lane) => queue.waiting[lane].size === 0 && queue.running[lane] === 0))
      tenants.delete(tenantId)
  }

  const refuse = (entry: Entry, reason: Refusal) => {
    refused[entry.lane][reason]++
    entry.refuse(busy)
    removeIfEmpty(entry.tenantId)
  }

  const hasBulkTurn = ({ running, waiting }: TenantQueue) =>
    waiting.bulk.size > 0 && running.bulk === 0 && countRunning('bulk') < half

  const isOverdue = ({ waiting }: TenantQueue) => {
    const oldest = waiting.bulk.values().next().value?.[0]
    return oldest !== undefined && now() - oldest.sinceMs > maxWaitMs
  }

  const take = (pick: (queue: TenantQueue) => Entry | undefined) => {
    for (const [tenantId, queue] of tenants) {
      const entry = pick(queue)
      if (!entry) continue
      moveToEnd(tenants, tenantId, queue)
      return entry
    }
    return undefined
  }

  const takeBulk = (queue: TenantQueue) => (hasBulkTurn(queue) ? takeNext(queue.waiting.bulk) : undefined)
  const takeSignIn = ({ waiting, running }: TenantQueue) =>
    takeNext(waiting.known) ?? (running.stranger < half ? takeNext(waiting.stranger) : undefined)

  const takeEntry = () =>
    take((queue) => (isOverdue(queue) ? takeBulk(queue) : undefined)) ?? take(takeSignIn) ?? take(takeBulk)

  const startWaiting = () => {
    while (sum(({ running }) => running.known + running.stranger + running.bulk) < maxConcurrent) {
      const entry = takeEntry()
      if (!entry) return
      if (entry.lane !== 'bulk' && now() - entry.sinceMs > maxWaitMs) {
        refuse(entry, 'late')
        continue
      }
      ;(tenants.get(entry.tenantId) as TenantQueue).running[entry.lane]++
      entry.begin()
    }
  }

  /**
   * Refuses the newest entry of the requester with the most waiting, so that a requester who fills the queue is refused
   * and not the others.
   */
  const refuseFullest = (arrived: Entry) => {
    const countWaiting = arrived.lane === 'bulk' ? countBulk : countSignIns
    if (sum(countWaiting) <= maxWaiting) return
    let fullest = tenants.get(arrived.tenantId) as TenantQueue
    for (const queue of tenants.values()) if (countWaiting(queue) > countWaiting(fullest)) fullest = queue
    const { known, stranger, bulk } = fullest.waiting
    const last = arrived.lane === 'bulk' ? takeFromFullest(bulk) : (takeFromFullest(stranger) ?? takeFromFullest(known))
    if (last) refuse(last, 'full')
  }

  /** Whether another entry of this requester would itself be refused, rather than one that is waiting. */
  const isFullFor = ({ tenantId, network, lane }: Requester) => {
    if (sum(countSignIns) < maxWaiting) return false
    const own = tenants.get(tenantId)
    if (!own) return false
    for (const queue of tenants.values()) if (countSignIns(queue) > countSignIns(own) + 1) return false
    if (lane === 'known' && own.waiting.stranger.size > 0) return false
    const ownCount = own.waiting[lane].get(network)?.length ?? 0
    return [...own.waiting[lane].values()].every((entries) => entries.length <= ownCount + 1)
  }

  const untilTurn = (requester: Requester) =>
    new Promise<void>((begin, refuse) => {
      const { tenantId, network, lane } = requester
      const queue = tenants.get(tenantId) ?? createTenantQueue()
      tenants.set(tenantId, queue)
      const entry = { ...requester, sinceMs: now(), begin, refuse }
      const entries = queue.waiting[lane].get(network) ?? []
      entries.push(entry)
      queue.waiting[lane].set(network, entries)
      startWaiting()
      refuseFullest(entry)
    })

  return {
    run: async <T>(requester: Requester, work: () => Promise<T>): Promise<T> => {
      await untilTurn(requester)
      try {
        return await work()
      } finally {
        ;(tenants.get(requester.tenantId) as TenantQueue).running[requester.lane]--
        startWaiting()
        removeIfEmpty(requester.tenantId)
      }
    },
    /** Refuses a sign-in before it costs anything more. */
    refuseIfFull: (requester: Requester) => {
      if (!isFullFor(requester)) return
      refused[requester.lane].full++
      throw busy
    },
    countWaiting: (lane: Lane) => sum(({ waiting }) => count(waiting[lane])),
    countRunning,
    refused,
  }
}
