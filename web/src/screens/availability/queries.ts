import { queryOptions } from '@tanstack/react-query'
import { type AvailabilityKind, availability, type SpanOrder } from '#contract/availability.ts'
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

const toOrder = ({ order }: AvailabilitySearch) => (order === undefined ? {} : { order })

/** Which spans are listed. */
export interface ListedSpans {
  kind: AvailabilityKind
  order: SpanOrder
}

export const availabilityKey = [KEY]

export const summaryQuery = (search: AvailabilitySearch) => {
  const filter = toFilter(search)
  return queryOptions({
    queryKey: [KEY, 'summary', filter],
    queryFn: ({ signal }) => call(availability.summary, filter, signal),
  })
}

export const spansQuery = (kind: AvailabilityKind, search: AvailabilitySearch) => {
  const input = { ...toFilter(search), ...toOrder(search), kind }
  return queryOptions({
    queryKey: [KEY, 'spans', input],
    queryFn: ({ signal }) => call(availability.spans, input, signal),
  })
}

export const terminalQuery = (terminal: string, search: AvailabilitySearch) => {
  const input = {
    kitnumber: terminal,
    ...toPeriod(search),
    ...toOrder(search),
    kind: search.kind ?? ('down' as const),
  }
  return queryOptions({
    queryKey: [KEY, 'terminal', input],
    queryFn: ({ signal }) => call(availability.terminal, input, signal),
  })
}
