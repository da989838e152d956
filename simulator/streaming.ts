import { setTimeout as sleepMs } from 'node:timers/promises'
import { type ApiCall, getField, parseWholeNumber, RequestError } from './call.ts'
import type { ApiResponse } from './response.ts'
import { LATE_MS } from './scenarios.ts'

const MAX_ROWS = 65_000
const MAX_LINGER_MS = 65_000
const POLL_INTERVAL_MS = 100

/** Responds when the batch is full or the linger time is over. Only a response advances the read index. */
export const streamTelemetry = (call: ApiCall): Promise<ApiResponse> => {
  const { simulation, credential, body } = call
  if (simulation.scenarios.has('stream-404')) throw new RequestError(404, 'Not found.')
  const batchSize = parseWholeNumber(getField(body, 'batchSize'), 'batchSize', 1_000, 1, MAX_ROWS)
  const maxLingerMs = parseWholeNumber(getField(body, 'maxLingerMs'), 'maxLingerMs', 15_000, 0, MAX_LINGER_MS)
  const response = credential.streaming.then(() => readBatch(call, batchSize, maxLingerMs))
  credential.streaming = response.catch(() => {})
  return response
}

const readBatch = async (call: ApiCall, batchSize: number, maxLingerMs: number): Promise<ApiResponse> => {
  const { simulation, credential, signal } = call
  const { scenarios } = simulation
  signal.throwIfAborted()
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
    await sleepMs(hasMore ? 0 : Math.min(POLL_INTERVAL_MS, leftMs), undefined, { signal: signal })
  }
  signal.throwIfAborted()
  return { status: 200, body: batch.commit() }
}
