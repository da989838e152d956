import { useMemo, useRef, useState } from 'react'
import { type SplitSelection, splitSelection } from '../../parts/table/split-selection.ts'
import { selectRange } from './select-range.ts'

export interface Selection extends SplitSelection {
  /** With `isRange`, all rows from the last toggled one. */
  toggle: (id: string, isRange: boolean) => void
  add: (ids: Iterable<string>) => void
  clear: () => void
}

interface Row {
  id: string
}

const getId = ({ id }: Row) => id

/** The selected rows, by id. A row that a search hides is selected again when the list has it again. */
export function useSelection(all: readonly Row[], shown: readonly Row[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const pressed = useRef<string>(undefined)
  const split = useMemo(() => splitSelection(all, shown, chosen, getId), [all, shown, chosen])
  return {
    ...split,
    toggle: (id, isRange) => {
      setChosen(selectRange(shown, chosen, isRange ? pressed.current : undefined, id))
      pressed.current = id
    },
    add: (ids) => setChosen(new Set([...chosen, ...ids])),
    clear: () => setChosen(new Set()),
  }
}
