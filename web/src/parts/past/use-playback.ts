import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toAt } from '../../past-search.ts'
import { pastDetailsQuery, pastFleetQuery } from '../fleet/fleet-queries.ts'
import type { Speed } from './timeline.ts'

const TICK_MS = 1000

interface Playback {
  at: string
  /** Undefined while it is paused. */
  speed: Speed | undefined
  onStep: (at: string) => void
  onEnd: () => void
}

/** Advances once a second. The next list is loaded meanwhile, one at a time. */
export function usePlayback({ at, speed, onStep, onEnd }: Playback) {
  const queries = useQueryClient()
  useEffect(() => {
    if (speed === undefined) return
    const next = toAt(Date.parse(at) + speed * TICK_MS)
    const isLoading = () => queries.isFetching() > 0
    const prefetch = () => {
      for (const [kind, query] of [['fleet', pastFleetQuery] as const, ['details', pastDetailsQuery] as const]) {
        const isShown = queries.getQueryCache().findAll({ queryKey: ['past', kind, at], type: 'active' }).length > 0
        if (isShown && Date.parse(next) < Date.now()) void queries.prefetchQuery(query(next) as never)
      }
    }
    let hasPrefetched = false
    const timer = setInterval(() => {
      if (isLoading()) return
      if (!hasPrefetched) {
        hasPrefetched = true
        prefetch()
        if (isLoading()) return
      }
      if (Date.parse(next) < Date.now()) onStep(next)
      else onEnd()
    }, TICK_MS / 2)
    return () => clearInterval(timer)
  }, [queries, at, speed, onStep, onEnd])
}
