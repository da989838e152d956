/** A filter of a log in the URL. Times are local, such as 2026-11-15T08:30. */
export interface EventFilter {
  person?: string | undefined
  kind?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

const parseLocalTime = (local: string | undefined) => {
  const moment = local === undefined ? undefined : new Date(local)
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}

/** The common filters of all logs, as query parameters of the API. */
export const toEventQuery = ({ person, from, until }: Pick<EventFilter, 'person' | 'from' | 'until'>) => ({
  ...(person && { person }),
  ...(parseLocalTime(from) && { from: parseLocalTime(from) }),
  ...(parseLocalTime(until) && { until: parseLocalTime(until) }),
})
