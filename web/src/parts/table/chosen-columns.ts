/** The columns a user sees, in order. */
export interface ColumnChoice {
  order: readonly string[]
  hidden: readonly string[]
}

interface Keyed {
  key: string
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Parses a stored choice; unreadable values are ignored. */
export function readChoice(stored: string | null): ColumnChoice {
  try {
    const { order, hidden } = JSON.parse(stored ?? '{}') ?? {}
    return { order: isTextList(order) ? order : [], hidden: isTextList(hidden) ? hidden : [] }
  } catch {
    return { order: [], hidden: [] }
  }
}

/** All columns in the user's order: the first one stays first, new ones follow their default neighbor. */
export function orderColumns<Column extends Keyed>(columns: readonly Column[], { order }: ColumnChoice): Column[] {
  const [first, ...others] = columns
  if (!first) return []
  const placeByKey = new Map(order.map((key, place) => [key, place]))
  let last = -1
  const placed = others.map((column) => {
    last = placeByKey.get(column.key) ?? last
    return { column, place: last }
  })
  return [first, ...placed.sort((a, b) => a.place - b.place).map(({ column }) => column)]
}

/** The visible columns, which always include the first. */
export const listShownColumns = <Column extends Keyed>(columns: readonly Column[], choice: ColumnChoice) =>
  orderColumns(columns, choice).filter(({ key }, place) => place === 0 || !choice.hidden.includes(key))

/** The visible columns as in the URL. */
export const formatColumns = (columns: readonly Keyed[]) => columns.map(({ key }) => key).join(',')

/** The choice that shows the columns in a URL, in their order. */
export function readColumns(columns: readonly Keyed[], text: string): ColumnChoice {
  const order = text.split(',')
  return { order, hidden: columns.map(({ key }) => key).filter((key) => !order.includes(key)) }
}

export const toggleColumn = (choice: ColumnChoice, key: string): ColumnChoice => ({
  ...choice,
  hidden: choice.hidden.includes(key) ? choice.hidden.filter((other) => other !== key) : [...choice.hidden, key],
})

/** Moves a column up or down by one, never before the first column or past the last. */
export function moveColumn(columns: readonly Keyed[], choice: ColumnChoice, key: string, by: -1 | 1): ColumnChoice {
  const order = orderColumns(columns, choice).map((column) => column.key)
  const from = order.indexOf(key)
  const to = from + by
  if (from < 1 || to < 1 || to >= order.length) return choice
  order.splice(to, 0, ...order.splice(from, 1))
  return { ...choice, order }
}
