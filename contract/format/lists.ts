import { formatCount } from './numbers.ts'

const list = new Intl.ListFormat('en-US')

/** 'role, group, and company'. */
export const formatList = (items: readonly string[]) => list.format(items)

const alternatives = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** 'call, write, or send a ticket'. */
export const formatAlternatives = (items: readonly string[]) => alternatives.format(items)

/** 'Nome, Bethel and 3 more': all names, or the first ones if there are many. */
export const formatSome = (names: readonly string[], most: number) => {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} and ${formatCount(names.length - most)} more` : shown
}
