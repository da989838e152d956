import { setTimeout as sleepMs } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import { type ApiCall, BadCall, field, wholeNumber } from './call.ts'
import { LATE_MS } from './scenarios.ts'

const MOST_ROWS = 65_000
const LONGEST_LINGER_MS = 65_000
const LOOK_EVERY_MS = 100

/** Answers when the batch is full or the caller has lingered; the read index moves only with the answer. */
export const streamTelemetry = (call: ApiCall): Promise<Answer> => {
  const { simulation, credential, body } = call
  if (simulation.scenarios.has('stream-404')) throw new BadCall(404, 'Not found.')
  const batchSize = wholeNumber(field(body, 'batchSize'), 'batchSize', 1_000, 1, MOST_ROWS)
  const maxLingerMs = wholeNumber(field(body, 'maxLingerMs'), 'maxLingerMs', 15_000, 0, LONGEST_LINGER_MS)
  const answer = credential.streaming.then(() => linger(call, batchSize, maxLingerMs))
  credential.streaming = answer.catch(() => {})
  return answer
}

const linger = async (call: ApiCall, batchSize: number, maxLingerMs: number): Promise<Answer> => {
  const { simulation, credential, gone } = call
  const { scenarios } = simulation
  gone.throwIfAborted()
  const batch = credential.stream.open(batchSize, {
    malformedRows: scenarios.has('malformed-rows'),
    unknownColumns: scenarios.has('unknown-columns'),
    dropOuts: scenarios.has('terminals-drop-out'),
  })
  const endsAt = performance.now() + maxLingerMs
  for (;;) {
    const nowMs = simulation.nowMs()
    const hasMore = batch.fill(nowMs, nowMs - (scenarios.has('telemetry-late') ? LATE_MS : 0))
    const leftMs = endsAt - performance.now()
    if (batch.isFull() || (!hasMore && leftMs <= 0)) break
    await sleepMs(hasMore ? 0 : Math.min(LOOK_EVERY_MS, leftMs), undefined, { signal: gone })
  }
  gone.throwIfAborted()
  return { status: 200, body: batch.commit() }
}
