import { type QueryClient, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '#contract/errors.ts'
import { isUnreachable } from './api.ts'

const maxRetries = 3
const firstPauseMs = 500
const longestPauseMs = 30_000
const longWaitMs = 10_000

/** The server is overloaded and did nothing; the same request succeeds later. */
export const isBusy = (error: unknown) => error instanceof ApiError && error.code === 'busy'

/** How long the server asks to wait. */
export const getRetryAfterMs = (error: unknown) => (error instanceof ApiError ? (error.retryAfterS ?? 0) * 1000 : 0)

/** Reads are retried while the server is busy, and a few times when it is unreachable, unless it asks for a long wait. */
export const shouldRetry = (failures: number, error: unknown) =>
  isBusy(error) || (failures < maxRetries && isUnreachable(error) && getRetryAfterMs(error) <= longestPauseMs)

/** Exponential backoff, but never shorter than the server asks for, with jitter against a thundering herd. */
export const getRetryDelayMs = (failures: number, error: unknown) => {
  const growingMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
  return Math.max(growingMs, getRetryAfterMs(error)) * (1 + Math.random() / 2)
}

/** Whether a read is waiting because the server is busy. */
export const isServerBusy = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.fetchStatus === 'fetching' && isBusy(state.fetchFailureReason))

export function useIsServerBusy() {
  const queries = useQueryClient()
  const subscribe = useCallback((listener: () => void) => queries.getQueryCache().subscribe(listener), [queries])
  return useSyncExternalStore(subscribe, () => isServerBusy(queries))
}

/** Whether the page has been waiting for long for data that it has nothing to show without. */
export function useIsWaitingLong() {
  const isWaiting = useIsFetching({ type: 'active', predicate: ({ state }) => state.status === 'pending' }) > 0
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLong(true), longWaitMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isWaiting])
  return isLong
}
