import { useMemo, useRef, useState } from 'react'
import { selectRange } from './select-range.ts'

export interface Selection {
  ids: ReadonlySet<string>
  /** With `isRange`, all rows from the last toggled one. */
  toggle: (id: string, isRange: boolean) => void
  set: (ids: Iterable<string>) => void
}

interface Row {
  id: string
}

/**
 * The selected rows, by id. A row hidden by a search stays selected, one that was removed from the list does not.
 */
export function useSelection(all: readonly Row[], shown: readonly Row[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const pressed = useRef<string>(undefined)
  const ids = useMemo(() => {
    if (chosen.size === 0) return chosen
    return new Set(all.filter(({ id }) => chosen.has(id)).map(({ id }) => id))
  }, [all, chosen])
  return {
    ids,
    toggle: (id, isRange) => {
      setChosen(selectRange(shown, ids, isRange ? pressed.current : undefined, id))
      pressed.current = id
    },
    set: (next) => setChosen(new Set(next)),
  }
}
