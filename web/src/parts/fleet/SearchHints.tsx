import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { useAt } from '../../past-search.ts'
import { fleetQuery } from './fleet-queries.ts'
import classes from './SearchHints.module.css'
import { suggestTerms } from './search-suggestions.ts'
import { poolNamesQuery } from './use-search-terms.ts'

interface SearchHintsProps {
  box: RefObject<HTMLInputElement | null>
  /** The text before it was changed. */
  before: string
  search: string
  onSearch: (search: string) => void
}

// Shorter words are too often the start of a name.
const minLetters = 2

/** Completes fields and their values below the search box, which keeps the focus. */
export function SearchHints({ box, before, search, onSearch }: SearchHintsProps) {
  const terminals = useQuery({ ...fleetQuery, enabled: false }).data?.terminals
  const pools = useQuery({ ...poolNamesQuery(useAt()), enabled: /pool:/i.test(search) }).data
  const [state, setState] = useState({ search: before, chosen: -1, isClosed: true })
  // Changed text reopens the hints. Otherwise they open on request.
  const { chosen, isClosed } = state.search === search ? state : { chosen: -1, isClosed: false }
  const id = useId()
  const hints = useMemo(() => {
    const isShort = !search.includes(':') && search.trim().length < minLetters
    return isClosed || (isShort && search !== '') ? [] : suggestTerms(search, terminals ?? [], pools)
  }, [isClosed, search, terminals, pools])

  useEffect(() => {
    const input = box.current
    if (!input) return
    const change = (next: Partial<typeof state>) => setState({ search, chosen, isClosed, ...next })
    const press = (event: KeyboardEvent) => {
      const hint = hints[chosen]
      if (event.key === 'ArrowDown' && hints.length === 0) change({ isClosed: false })
      else if (event.key === 'ArrowDown') change({ chosen: (chosen + 1) % hints.length })
      else if (event.key === 'ArrowUp' && hints.length > 0)
        change({ chosen: (chosen <= 0 ? hints.length : chosen) - 1 })
      else if (event.key === 'Escape' && hints.length > 0) change({ isClosed: true, chosen: -1 })
      else if ((event.key === 'Enter' || event.key === 'Tab') && hint) onSearch(hint.search)
      else return
      event.preventDefault()
    }
    input.addEventListener('keydown', press)
    if (hints[chosen]) input.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    return () => {
      input.removeEventListener('keydown', press)
      input.removeAttribute('aria-activedescendant')
    }
  }, [box, search, hints, chosen, isClosed, id, onSearch])

  if (hints.length === 0) return null
  return (
    <div className={classes.hints} role="listbox" aria-label="Search by">
      {hints.map(({ label, about, search: next }, at) => (
        // The focus stays in the search box, which handles the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: see above.
        <div
          key={label}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          className={classes.hint}
          // Runs before the search box would lose the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onSearch(next)
          }}
        >
          <span className={classes.label}>{label}</span>
          <span className={classes.about}>{about}</span>
        </div>
      ))}
    </div>
  )
}
