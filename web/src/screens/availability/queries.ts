import { queryOptions } from '@tanstack/react-query'
import { availability } from '#contract/availability.ts'
import { call } from '../../api.ts'
import type { AvailabilitySearch } from './availability-search.ts'

const KEY = 'availability'

const toPeriod = ({ period = 'month', day, lastDay }: AvailabilitySearch) => ({
  period,
  ...(day !== undefined && { day }),
  ...(lastDay !== undefined && { lastDay }),
})

export const toFilter = (search: AvailabilitySearch) => ({
  ...toPeriod(search),
  ...(search.group !== undefined && { group: search.group }),
})

export const availabilityKey = [KEY]

export const summaryQuery = (search: AvailabilitySearch) => {
  const filter = toFilter(search)
  return queryOptions({
    queryKey: [KEY, 'summary', filter],
    queryFn: ({ signal }) => call(availability.summary, filter, signal),
  })
}

export const terminalQuery = (terminal: string, search: AvailabilitySearch) => {
  const input = { kitnumber: terminal, ...toPeriod(search), kind: search.kind ?? ('down' as const) }
  return queryOptions({
    queryKey: [KEY, 'terminal', input],
    queryFn: ({ signal }) => call(availability.terminal, input, signal),
  })
}
