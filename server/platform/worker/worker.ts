import { randomInt } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Listener } from '../database/listen.ts'
import { LeaseLost } from './fence.ts'
import {
  claimJobs,
  completeJob,
  foldRequests,
  releaseOrphans,
  renewLeases,
  seedJobs,
  tryBecomeOwner,
} from './job-rows.ts'
import { JOBS_CHANNEL, type Job, type Queue, type QueueName, type Queues, readTopic, writeTopic } from './queues.ts'
import { createShares } from './shares.ts'
import { runTurn } from './turn.ts'

export interface WorkerTiming {
  /** Notifications and timers wake a worker; polling only catches what they miss. */
  pollIntervalMs: number
  /** How often a worker looks for leases of dead workers. */
  heartbeatMs: number
  /** A worker that does not renew its leases for this long loses its jobs, even if its session is alive. */
  leaseMs: number
  retryMs: number
}

const defaultTiming: WorkerTiming = { pollIntervalMs: 30_000, heartbeatMs: 2_000, leaseMs: 60_000, retryMs: 5_000 }

interface Options {
  listener: Listener
  queues: Queues
  log: FastifyBaseLogger
  now: () => Date
  timing?: Partial<WorkerTiming>
}

export interface Worker {
  /** Aborts every job, and waits until all have ended. */
  stop: () => Promise<void>
}

interface Run {
  job: Job
  queue: Queue
  abort: AbortController
  leaseUntilMs: number
  /** Another worker may be running this job. */
  isLost: boolean
  /** It is beyond this worker's share, and another worker waits for it. */
  isHandedOver: boolean
  done: Promise<void>
}

const MAX_PER_CLAIM = 100
// A live worker that does not claim its share must not leave jobs waiting.
const UNCLAIMED_AFTER_MS = 10_000

/** Runs the jobs of these queues. Any number of processes may do so; each job runs in one of them at a time. */
export const startWorker = ({ listener, queues, log, now, timing }: Options): Worker => {
  const { pollIntervalMs, heartbeatMs, leaseMs, retryMs } = { ...defaultTiming, ...timing }
  const { query } = listener
  const entries = Object.entries(queues) as [QueueName, Queue][]
  const listSeeded = (seed: Queue['seed']) => entries.filter(([, queue]) => queue.seed === seed).map(([name]) => name)
  const tenantQueues = listSeeded('tenants')
  const installationQueues = listSeeded('installation')
  const running = new Map<string, Run>()
  /** Queues that may have more jobs than this process can run: their next job is claimed as soon as one ends. */
  const saturated = new Set<QueueName>()
  const shares = createShares(query, queues)
  let isConnected = false
  let owner: number | undefined
  let isStopped = false
  let isFoldDue = true
  let isSeedDue = true
  let isFailing = false

  const at = (ms: number) => new Date(now().getTime() + ms)

  let timer: NodeJS.Timeout | undefined
  let timerAtMs = Number.POSITIVE_INFINITY
  const wakeAt = (moment: Date) => {
    const delayMs = Math.min(Math.max(0, moment.getTime() - now().getTime()), pollIntervalMs)
    if (isStopped || Date.now() + delayMs >= timerAtMs) return
    clearTimeout(timer)
    timerAtMs = Date.now() + delayMs
    timer = setTimeout(() => {
      timerAtMs = Number.POSITIVE_INFINITY
      wake()
    }, delayMs)
  }

  const reportFault = (error: unknown) => {
    // Without a session there is nothing to do: the listener reports it and reconnects.
    if (!isConnected) return undefined
    if (!isFailing) log.error({ err: error }, 'Background jobs cannot be read or recorded now; trying again.')
    isFailing = true
    wakeAt(at(retryMs))
    return undefined
  }

  const turns = { query, log, now, reportFault }
  const start = (job: Job) => {
    const key = writeTopic(job)
    const queue = queues[job.queue] as Queue
    const abort = new AbortController()
    const run: Run = {
      job,
      queue,
      abort,
      leaseUntilMs: now().getTime() + leaseMs,
      isLost: false,
      isHandedOver: false,
      done: Promise.resolve(),
    }
    running.set(key, run)
    run.done = runTurn(turns, job, queue, abort.signal).then((dueAt) => {
      running.delete(key)
      if (run.isHandedOver) void wakeOthers(job).catch(() => {})
      if (saturated.has(job.queue)) wake()
      else if (dueAt) wakeAt(dueAt)
    })
  }

  const claim = async () => {
    const claimedBy = owner
    if (claimedBy === undefined) return undefined
    // Read once: a job that becomes due between two reads would be neither claimed nor scheduled.
    const moment = now()
    const busy = Map.groupBy(running.values(), ({ job }) => job.queue)
    const slots = entries.map(([name, { concurrency, isSpread }]) => {
      const running = busy.get(name)?.length ?? 0
      const open = isSpread ? shares.read(name) - running : MAX_PER_CLAIM
      const readyBy = open > 0 ? moment : new Date(moment.getTime() - UNCLAIMED_AFTER_MS)
      return {
        name,
        free: Math.min(MAX_PER_CLAIM, open > 0 ? open : 1, Math.max(0, concurrency - running)),
        readyBy,
      }
    })
    const { claimed, nextDueAt } = await claimJobs(query, {
      owner: claimedBy,
      now: moment,
      leaseMs,
      slots,
      except: [...running.values()].map(({ job }) => job),
    })
    const counts = Map.groupBy(claimed, ({ queue }) => queue)
    for (const { name, free } of slots)
      if ((counts.get(name)?.length ?? 0) === free) saturated.add(name)
      else saturated.delete(name)
    // More may be due than one claim takes, and claiming the rest must not wait for jobs that run for hours.
    if ([...counts.values()].some(({ length }) => length === MAX_PER_CLAIM)) isWoken = true
    for (const job of claimed) {
      if (isStopped) await completeJob(query, job, now(), now())
      else if (owner === claimedBy) start(job)
    }
    return nextDueAt
  }

  const poll = async () => {
    if (isSeedDue) {
      isSeedDue = false
      await seedJobs(query, now(), { queues: entries.map(([name]) => name), tenantQueues, installationQueues })
    }
    if (isFoldDue) {
      isFoldDue = false
      await foldRequests(query)
    }
    // An added job changes the share.
    await rebalance()
    const nextDueAt = await claim()
    isFailing = false
    if (nextDueAt) wakeAt(nextDueAt)
  }

  let polling: Promise<void> | undefined
  let isWoken = false
  const wake = () => {
    isWoken = true
    if (polling || isStopped || owner === undefined) return
    isWoken = false
    polling = poll()
      .catch(reportFault)
      .then(() => {
        polling = undefined
        if (isWoken) wake()
      })
  }

  const renew = async () => {
    const nowMs = now().getTime()
    // Early enough that two renewals may fail.
    const old = [...running.values()].filter(
      ({ isLost, leaseUntilMs }) => !isLost && leaseUntilMs - nowMs < leaseMs * 0.7,
    )
    if (old.length === 0) return
    const until = new Date(nowMs + leaseMs)
    const renewed = new Set(
      await renewLeases(
        query,
        old.map(({ job }) => ({ job, until })),
      ),
    )
    for (const [index, run] of old.entries())
      if (renewed.has(index)) run.leaseUntilMs = until.getTime()
      else lose(run)
  }

  const lose = (run: Run) => {
    run.isLost = true
    run.abort.abort(new LeaseLost())
  }

  /**
   * Releases jobs beyond the share when a worker has started, and claims more when one has stopped. Returns whether this
   * worker is the first.
   */
  const rebalance = async () => {
    if (owner === undefined) return false
    const { isGrowing, hasChanged, isFirst } = await shares.refresh(owner)
    if (hasChanged)
      for (const run of shares.findSurplus([...running.values()])) {
        run.isHandedOver = true
        run.abort.abort(new Error('Another worker takes this job over.'))
      }
    if (isGrowing) wake()
    return isFirst
  }

  const drawNumber = () => randomInt(1, 2 ** 31 - 1)
  // New for each session, so that the leases of a lost one end. Within a session it stays: if no response arrived, the
  // session may have its lock, and with the lock of another number it would count as two workers.
  let ownNumber: number
  const becomeOwner = async () => {
    while (!(await tryBecomeOwner(query, ownNumber))) ownNumber = drawNumber()
    if (!isConnected) return
    owner = ownNumber
    isSeedDue = true
    isFoldDue = true
    await rebalance()
    wake()
  }

  let isBeating = false
  const beat = async () => {
    if (isBeating || !isConnected) return
    isBeating = true
    try {
      if (owner === undefined) await becomeOwner()
      await renew()
      // When the first worker stops, the next one becomes the first.
      const isFirst = await rebalance()
      if (isFirst) await releaseOrphans(query, now())
    } catch (error) {
      reportFault(error)
    }
    isBeating = false
  }

  // Uses a topic that matches no running job, so that no job restarts because of it.
  const wakeOthers = ({ queue }: Job) =>
    query('select pg_notify($1, $2)', [JOBS_CHANNEL, writeTopic({ queue, tenantId: '', subject: '' })])

  const heartbeat = setInterval(beat, heartbeatMs)
  const polls = setInterval(() => {
    isSeedDue = true
    isFoldDue = true
    wake()
  }, pollIntervalMs)
  void listener.subscribe({
    channel: JOBS_CHANNEL,
    onConnected: () => {
      isConnected = true
      ownNumber = drawNumber()
      void beat()
    },
    onLost: () => {
      isConnected = false
      owner = undefined
      for (const run of running.values()) lose(run)
    },
    onNotification: (payload) => {
      isFoldDue = true
      const { queue, tenantId, subject } = readTopic(payload)
      const run = running.get(writeTopic({ queue, tenantId, subject }))
      if (run?.queue.restartsOnRequest) run.abort.abort(new Error('The job was requested again.'))
      wake()
    },
  })

  return {
    stop: async () => {
      isStopped = true
      clearInterval(heartbeat)
      clearInterval(polls)
      await polling
      clearTimeout(timer)
      const ending = [...running.values()]
      for (const { abort } of ending) abort.abort(new Error('The worker stops.'))
      await Promise.all(ending.map(({ done }) => done))
      if (ending[0]) await wakeOthers(ending[0].job).catch(() => {})
      clearTimeout(timer)
    },
  }
}
