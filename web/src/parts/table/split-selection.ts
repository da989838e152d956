export interface SplitSelection {
  /** The selected rows of the list: those that an action changes. */
  ids: ReadonlySet<string>
  /** How many selected rows a search or filter hides. */
  hiddenCount: number
}

/** Splits the selected rows into those in the list and those that are hidden. Removed rows are in neither. */
export function splitSelection<Row>(
  all: readonly Row[],
  shown: readonly Row[],
  selected: ReadonlySet<string>,
  getId: (row: Row) => string,
): SplitSelection {
  if (selected.size === 0) return { ids: selected, hiddenCount: 0 }
  const listSelected = (rows: readonly Row[]) => rows.map(getId).filter((id) => selected.has(id))
  const ids = new Set(listSelected(shown))
  return { ids, hiddenCount: listSelected(all).filter((id) => !ids.has(id)).length }
}
