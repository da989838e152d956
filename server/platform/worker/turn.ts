import type { FastifyBaseLogger } from 'fastify'
import { completeJob, failJob, type Query } from './job-rows.ts'
import { backoffMs, withJitter } from './pause.ts'
import type { Job, Queue } from './queues.ts'

const MAX_ERROR_CHARACTERS = 1_000

interface Turns {
  query: Query
  log: FastifyBaseLogger
  now: () => Date
  /** An outcome could not be recorded. The lease expires, and the job runs again. */
  reportFault: (error: unknown) => undefined
}

const describe = ({ queue, tenantId, subject }: Job) => ({ queue, tenantId, ...(subject && { subject }) })

const recordFailure = ({ query, log, now }: Turns, job: Job, { retry, retryLimit }: Queue, error: unknown) => {
  const failures = job.failures + 1
  const isGivenUp = retryLimit !== undefined && failures > retryLimit
  const pauseMs = withJitter(backoffMs(failures, retry.firstMs, retry.longestMs))
  const retryAt = isGivenUp ? undefined : new Date(now().getTime() + pauseMs)
  const about = { ...describe(job), err: error }
  if (isGivenUp) log.error({ ...about, failures }, 'A background job failed too often; it waits for a new request.')
  else if (failures === 1)
    log.error({ ...about, retryAt }, 'A background job failed; it is tried again, with growing pauses, until it works.')
  return failJob(query, job, now(), retryAt, String(error).slice(0, MAX_ERROR_CHARACTERS))
}

/** Runs a job once and records the outcome. Returns when the job is due next. */
export const runTurn = async (turns: Turns, job: Job, queue: Queue, signal: AbortSignal): Promise<Date | undefined> => {
  const { query, log, now, reportFault } = turns
  try {
    const next = await queue.run(job, signal)
    if (job.failures > 0 && !signal.aborted) log.info(describe(job), 'A background job works again.')
    return await completeJob(query, job, now(), signal.aborted ? now() : next).catch(reportFault)
  } catch (error) {
    const recorded = signal.aborted ? completeJob(query, job, now(), now()) : recordFailure(turns, job, queue, error)
    return await recorded.catch(reportFault)
  }
}
