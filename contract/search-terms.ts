import { getAlertTitle } from './alerts.ts'
import { fold } from './format/fold.ts'
import { shownStatus, shownStatuses, statusLabels } from './shown-status.ts'
import type { TerminalDetailsItem, TerminalListItem } from './terminals.ts'

type Terminal = TerminalListItem & Partial<Pick<TerminalDetailsItem, 'kitnumber' | 'virtual_plan_name'>>

/** Data that is not in the list of terminals. */
export interface SearchContext {
  nowMs: number
  /** By the id of the terminal. */
  pools: ReadonlyMap<string, string> | undefined
}

type Matches = (terminal: Terminal, context: SearchContext) => boolean

interface SearchField {
  about: string
  /**
   * Undefined: not a value of this field, so it is searched as text. 'unfinished': ignored while the user is still typing.
   */
  read: (value: string) => Matches | 'unfinished' | undefined
}

const includes = (about: string, list: (terminal: Terminal, context: SearchContext) => unknown[]): SearchField => ({
  about,
  read: (value) => {
    if (value === '') return 'unfinished'
    const wanted = fold(value)
    return (terminal, context) =>
      list(terminal, context).some((text) => typeof text === 'string' && fold(text).includes(wanted))
  },
})

const readStatus = (value: string): Matches | 'unfinished' | undefined => {
  if (value === '') return 'unfinished'
  const wanted = fold(value)
  const chosen = shownStatuses.filter((status) => fold(statusLabels[status]).startsWith(wanted))
  return chosen.length > 0 ? (terminal) => chosen.includes(shownStatus(terminal)) : undefined
}

const alertsIncluding = includes('An active alert, by its name or code; or any, or none', ({ alerts }) =>
  alerts.flatMap((code) => [code, getAlertTitle(code)]),
)

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

const readSeen = (value: string): Matches | 'unfinished' | undefined => {
  const text = value.toLowerCase()
  if (text === 'never') return ({ lastSeen }) => lastSeen === null
  const [, sign, count, unit] = /^([<>]?)(\d*(?:\.\d+)?)([mhdw]?)$/.exec(text) ?? []
  if (count === undefined) return 'never'.startsWith(text) ? 'unfinished' : undefined
  if (count === '' || !unit) return 'unfinished'
  const ageMs = Number(count) * (unitMs[unit] as number)
  return ({ lastSeen }, { nowMs }) =>
    lastSeen !== null && (sign === '<' ? nowMs - lastSeen.getTime() < ageMs : nowMs - lastSeen.getTime() > ageMs)
}

export const searchFields: Record<string, SearchField> = {
  status: { about: 'Online, offline, no data or disabled', read: readStatus },
  alert: {
    ...alertsIncluding,
    read: (value) => {
      if (value.toLowerCase() === 'any') return ({ alerts }) => alerts.length > 0
      if (value.toLowerCase() === 'none') return ({ alerts }) => alerts.length === 0
      return alertsIncluding.read(value)
    },
  },
  name: includes('The name of the terminal', (terminal) => [
    terminal.customname || terminal.nickname,
    terminal.nickname,
  ]),
  city: includes('Its city', ({ city }) => [city]),
  state: includes('Its state', ({ state }) => [state]),
  street: includes('Its street', ({ street }) => [street]),
  pool: includes('The data pool of its service line', ({ id, virtual_plan_name }, { pools }) => [
    virtual_plan_name ?? pools?.get(id),
  ]),
  seen: { about: 'When it was last seen: >1h is longer ago, <10m is more recent; or never', read: readSeen },
  line: includes('The number of its service line', ({ serviceLine }) => [serviceLine]),
  kit: includes('The number of the kit or dish', ({ deviceID, kitnumber }) => [deviceID, kitnumber]),
  is: {
    about: 'Mobile or fixed',
    read: (value) => {
      const wanted = value.toLowerCase()
      if (wanted === 'mobile') return ({ isMobile }) => isMobile
      if (wanted === 'fixed') return ({ isMobile }) => !isMobile
      return ['mobile', 'fixed'].some((word) => word.startsWith(wanted)) ? 'unfinished' : undefined
    },
  },
}

export interface ParsedSearch {
  /** The part to search as plain text. */
  text: string
  /** Undefined if there are no terms. */
  matches: Matches | undefined
  needsPools: boolean
}

// A field, a colon, and a word or a quoted text whose closing quote may be missing.
const termPattern = /(?<=^|\s)(-?)([a-z]+):("[^"]*"?|\S*)/gi

/** Parses terms such as `status:offline city:nome`. Everything else, including unknown fields, is plain text. */
export function parseSearch(search: string): ParsedSearch {
  const wanted = new Map<string, Matches[]>()
  const unwanted: Matches[] = []
  let termCount = 0
  let needsPools = false
  const rest = search.replace(termPattern, (term, minus: string, name: string, quoted: string) => {
    const matches = Object.hasOwn(searchFields, name.toLowerCase())
      ? searchFields[name.toLowerCase()]?.read(quoted.replaceAll('"', ''))
      : undefined
    if (matches === undefined) return term
    termCount++
    if (matches === 'unfinished') return ''
    needsPools ||= name.toLowerCase() === 'pool'
    if (minus) unwanted.push(matches)
    else wanted.set(name.toLowerCase(), [...(wanted.get(name.toLowerCase()) ?? []), matches])
    return ''
  })
  if (termCount === 0) return { text: search, matches: undefined, needsPools }
  const alternatives = [...wanted.values()]
  return {
    text: rest.trim().replace(/\s+/g, ' '),
    matches: (terminal, context) =>
      alternatives.every((any) => any.some((matches) => matches(terminal, context))) &&
      !unwanted.some((matches) => matches(terminal, context)),
    needsPools,
  }
}
