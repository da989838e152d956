import { getAlertTitle } from '#contract/alerts.ts'
import { fold } from '#contract/format/fold.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { searchFields } from '#contract/search-terms.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { shownStatus, statusLabels } from '../status.ts'

export interface Suggestion {
  /** The whole search with this suggestion in place of the text being typed. */
  search: string
  /** The term alone. */
  label: string
  about: string
}

const maxShown = 8

const fixedValues: Record<string, readonly string[]> = {
  seen: ['<10m', '>1h', '>24h', '>7d', 'never'],
  is: ['mobile', 'fixed'],
}

type ListValues = (terminal: TerminalListItem) => readonly (string | null | undefined)[]

const listedValues: Record<string, ListValues> = {
  status: (terminal) => [statusLabels[shownStatus(terminal)].toLowerCase()],
  alert: ({ alerts }) => alerts.map(getAlertTitle),
  city: ({ city }) => [city],
  state: ({ state }) => [state],
}

const quote = (value: string) => (/\s/.test(value) ? `"${value}"` : value)

/** The values of the terminals, most frequent first. */
function countValues(terminals: readonly TerminalListItem[], list: ListValues) {
  const counts = new Map<string, number>()
  for (const terminal of terminals)
    for (const value of new Set(list(terminal))) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
}

function listValues(
  name: string,
  terminals: readonly TerminalListItem[],
  pools: ReadonlyMap<string, string> | undefined,
) {
  const fixed = fixedValues[name]
  if (fixed) return fixed.map((value) => ({ value, about: '' }))
  const list: ListValues | undefined = name === 'pool' ? ({ id }) => [pools?.get(id)] : listedValues[name]
  if (!list) return []
  const counted = countValues(terminals, list).map(([value, count]) => ({
    value,
    about: formatCounted(count, 'terminal', 'terminals'),
  }))
  return name === 'alert' ? [...counted, { value: 'any', about: '' }, { value: 'none', about: '' }] : counted
}

/** Completions: fields for a word that is being typed, values for a field. An empty search suggests all fields. */
export function suggestTerms(
  search: string,
  terminals: readonly TerminalListItem[],
  pools?: ReadonlyMap<string, string>,
): Suggestion[] {
  const [last = '', space = '', minus = '', word = ''] = /(^|\s)(-?)([a-z]+:"[^"]*|\S*)$/i.exec(search) ?? []
  const before = search.slice(0, search.length - last.length) + space
  const [, name = '', typed] = /^([a-z]+):(.*)$/is.exec(word) ?? []
  if (typed === undefined) {
    if (search !== '' && word === '' && minus === '') return []
    return Object.entries(searchFields)
      .filter(([field]) => field.startsWith(word.toLowerCase()))
      .map(([field, { about }]) => ({ search: `${before}${minus}${field}:`, label: `${field}:`, about }))
  }
  const wanted = fold(typed.replaceAll('"', ''))
  return listValues(name.toLowerCase(), terminals, pools)
    .filter(({ value }) => fold(value).includes(wanted) && fold(value) !== wanted)
    .slice(0, maxShown)
    .map(({ value, about }) => {
      const label = `${name.toLowerCase()}:${quote(value)}`
      return { search: `${before}${minus}${label} `, label, about }
    })
}
