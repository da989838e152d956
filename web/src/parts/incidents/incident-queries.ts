import { queryOptions } from '@tanstack/react-query'
import { incidents } from '#contract/incidents.ts'
import { call } from '../../api.ts'

const REFRESH_MS = 30_000

export const openIncidentsQuery = queryOptions({
  queryKey: ['incidents', 'open'],
  queryFn: ({ signal }) => call(incidents.list, { show: 'open', limit: 200 }, signal),
  refetchInterval: REFRESH_MS,
})

export const terminalIncidentsQuery = (line: string) =>
  queryOptions({
    queryKey: ['incidents', 'terminal', line],
    queryFn: ({ signal }) => call(incidents.list, { show: 'open', terminal: line }, signal),
    refetchInterval: REFRESH_MS,
  })

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'one', id],
    queryFn: ({ signal }) => call(incidents.get, { id }, signal),
    refetchInterval: REFRESH_MS,
  })
