import type { FastifyBaseLogger } from 'fastify'
import { backoffMs, withJitter } from '../platform/worker/pause.ts'
import type { LookupResult, MessageTransport, SendResult } from './transport.ts'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000
// One message may hang. After so many in a row it is the server.
const TIMEOUTS_BEFORE_PAUSE = 4

interface Options {
  channel: MessageTransport['channel']
  log: FastifyBaseLogger
  now: () => Date
}

/** Pauses a channel, longer each time, while its server cannot be reached. */
export const createCircuitBreaker = ({ channel, log, now }: Options) => {
  let failures = 0
  let timeouts = 0
  let pausedUntilMs = 0

  const record = (isReached: boolean, result: SendResult | LookupResult) => {
    if (isReached) {
      if (failures > 0) log.info({ channel }, 'Messages are being sent again.')
      failures = 0
      return
    }
    failures++
    pausedUntilMs = now().getTime() + withJitter(backoffMs(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS))
    const reason = 'reason' in result ? result.reason : ''
    if (failures === 1) log.warn({ channel, reason }, 'Messages cannot be sent now.')
  }

  return {
    recordSend: (result: SendResult) => {
      timeouts = result.kind === 'timed out' ? timeouts + 1 : 0
      const isReached = result.kind !== 'unreachable' && result.kind !== 'unknown' && timeouts < TIMEOUTS_BEFORE_PAUSE
      if (timeouts === 0 || !isReached) record(isReached, result)
    },
    recordLookup: (result: LookupResult) => record(result.kind !== 'retry later', result),
    getPauseMs: () => {
      const leftMs = pausedUntilMs - now().getTime()
      // A longer pause than the longest began before the clock was set back.
      return leftMs > 2 * LONGEST_PAUSE_MS ? 0 : Math.max(0, leftMs)
    },
  }
}
