import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { useAt } from '../../past-search.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useNow } from '../../ui/use-now.ts'

type Parser = typeof import('#contract/search-terms.ts')

// Loaded only for a search such as city:nome, so that the dashboard starts without it.
let loadedParser: Parser | undefined

const mayHaveTerms = /[a-z]:/i

/** The pool of each terminal that has one, which the list does not contain. */
export const poolNamesQuery = (at: string | undefined) =>
  queryOptions({
    queryKey: ['pool names', at],
    queryFn: async ({ signal }) => (await import('./pool-names.ts')).loadPoolNames(at, signal),
    staleTime: 5 * 60_000,
  })

export interface FleetSearch {
  /** Text to find in any field. */
  text: string | undefined
  /** The terms of the search. */
  matches?: (terminal: TerminalListItem) => boolean
}

/**
 * Parses the search box: `status:offline city:nome harbor`, or just text. Pools are loaded when a search needs them, unless
 * the rows contain them.
 */
export function useSearchTerms(search: string | undefined, rowsHavePools = false): FleetSearch {
  const at = useAt()
  const now = useNow(60_000)
  const [parser, setParser] = useState(loadedParser)
  const isWanted = search !== undefined && mayHaveTerms.test(search)
  useEffect(() => {
    if (!isWanted || parser) return
    const load = async () => {
      loadedParser = await importWithRetry(() => import('#contract/search-terms.ts'))
      setParser(loadedParser)
    }
    void load()
  }, [isWanted, parser])
  const parsed = useMemo(
    () => (isWanted && parser ? parser.parseSearch(search) : undefined),
    [isWanted, parser, search],
  )
  const { data: pools } = useQuery({ ...poolNamesQuery(at), enabled: parsed?.needsPools === true && !rowsHavePools })
  // A search without terms does not depend on the time.
  const nowMs = parsed?.matches ? now : 0
  return useMemo(() => {
    if (!parsed) return { text: isWanted ? undefined : search }
    const { text, matches } = parsed
    return { text, ...(matches && { matches: (terminal) => matches(terminal, { nowMs, pools }) }) }
  }, [parsed, isWanted, search, nowMs, pools])
}
