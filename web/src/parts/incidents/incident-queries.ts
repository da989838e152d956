import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { incidents } from '#contract/incidents.ts'
import { call } from '../../api.ts'
import { callOrCached } from '../../cached-call.ts'

const REFRESH_MS = 30_000

/** The present is refetched; the past does not change. */
export const atTime = (at: string | undefined) => ({
  input: at === undefined ? {} : { at: new Date(at) },
  load: at === undefined ? callOrCached : call,
  refetchInterval: at === undefined ? REFRESH_MS : (false as const),
})

export const widespreadIncidentsQuery = (at: string | undefined) => {
  const { input, load, refetchInterval } = atTime(at)
  return queryOptions({
    queryKey: ['incidents', 'widespread', at],
    queryFn: ({ signal }) => load(incidents.list, { widespread: true, limit: 200, ...input }, signal),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
}

export const terminalIncidentsQuery = (line: string, at: string | undefined) => {
  const { input, load, refetchInterval } = atTime(at)
  return queryOptions({
    queryKey: ['incidents', 'terminal', line, at],
    queryFn: ({ signal }) => load(incidents.list, { show: 'open', terminal: line, ...input }, signal),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
}

export const incidentQuery = (id: string, at: string | undefined) => {
  const { input, refetchInterval } = atTime(at)
  return queryOptions({
    queryKey: ['incidents', 'one', id, at],
    queryFn: ({ signal }) => call(incidents.get, { id, ...input }, signal),
    refetchInterval,
  })
}
