import { formatCounted } from '#contract/format/numbers.ts'
import { formatPlace } from '#contract/format/places.ts'
import type { Pool } from '#contract/plans.ts'
import type { SavedView } from '#contract/saved-views.ts'
import { parseSearch, type SearchContext } from '#contract/search-terms.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import type { User } from '#contract/users.ts'
import { getDisplayName } from '../fleet/fleet.ts'
import { suggestTerms } from '../fleet/search-suggestions.ts'
import { type ShownStatus, shownStatus } from '../status.ts'
import type { FuzzyIndex } from './fuzzy-search.ts'

/** Where an entry leads, or what it does. */
export type Target =
  | { kind: 'terminal'; terminal: TerminalListItem; asks?: 'reboot' }
  | { kind: 'fleet'; search: string }
  | { kind: 'user'; email: string }
  | { kind: 'pool'; id: string }
  | { kind: 'page'; path: string }
  | { kind: 'view'; view: SavedView }
  | { kind: 'color scheme' }
  /** Replaces the search text. */
  | { kind: 'search'; search: string }

export interface PaletteEntry {
  group: 'Actions' | 'Terminals' | 'Pages' | 'Views' | 'People' | 'Data pools' | 'Search by'
  label: string
  about?: string
  status?: ShownStatus
  target: Target
}

interface Page {
  path: string
  label: string
}

/** Everything searchable, with an index per kind. */
export interface Sources {
  terminals: readonly TerminalListItem[]
  terminalIndex: FuzzyIndex<TerminalListItem>
  pageIndex: FuzzyIndex<Page>
  userIndex: FuzzyIndex<User>
  poolIndex: FuzzyIndex<Pool>
  viewIndex: FuzzyIndex<SavedView>
  pages: readonly Page[]
  mayReboot: boolean
  isDark: boolean
  context: SearchContext
}

const most = { terminals: 6, pages: 4, users: 4, pools: 4, views: 4, suggestions: 4, reboots: 4 }

const toTerminalEntry = (terminal: TerminalListItem): PaletteEntry => ({
  group: 'Terminals',
  label: getDisplayName(terminal),
  about: formatPlace(terminal),
  status: shownStatus(terminal),
  target: { kind: 'terminal', terminal },
})

const toPageEntry = ({ path, label }: Page): PaletteEntry => ({
  group: 'Pages',
  label,
  target: { kind: 'page', path },
})

const toViewEntry = (view: SavedView): PaletteEntry => ({
  group: 'Views',
  label: view.name,
  about: view.page === 'table' ? 'Terminal Table' : 'List and map',
  target: { kind: 'view', view },
})

const toFleetEntry = (count: number, search: string): PaletteEntry => ({
  group: 'Terminals',
  label: `Show all ${formatCounted(count, 'terminal', 'terminals')} in the list`,
  target: { kind: 'fleet', search },
})

function listSuggestions(search: string, { terminals, context }: Sources): PaletteEntry[] {
  return suggestTerms(search, terminals, context.pools)
    .slice(0, search === '' ? undefined : most.suggestions)
    .map(({ search: next, label, about }) => ({
      group: 'Search by',
      label,
      about,
      target: { kind: 'search', search: next },
    }))
}

function listReboots(search: string, { mayReboot, terminalIndex }: Sources): PaletteEntry[] {
  const [, verb = '', name = ''] = /^(\S{3,})\s+(.+)$/.exec(search) ?? []
  if (!mayReboot || !'reboot'.startsWith(verb.toLowerCase()) || verb === '') return []
  return terminalIndex.find(name, most.reboots).items.map((terminal) => ({
    group: 'Actions',
    label: `Reboot ${getDisplayName(terminal)}…`,
    about: formatPlace(terminal),
    status: shownStatus(terminal),
    target: { kind: 'terminal', terminal, asks: 'reboot' },
  }))
}

function listActions(search: string, { isDark }: Sources): PaletteEntry[] {
  const label = isDark ? 'Use light colors' : 'Use dark colors'
  const isMeant = search !== '' && label.toLowerCase().includes(search.toLowerCase())
  return isMeant ? [{ group: 'Actions', label, target: { kind: 'color scheme' } }] : []
}

function listTerminals(search: string, { terminals, terminalIndex, context }: Sources): PaletteEntry[] {
  const { text, matches } = parseSearch(search)
  if (!matches) {
    const { items } = terminalIndex.find(text, most.terminals)
    return items.map(toTerminalEntry)
  }
  const among = text === '' ? terminals : terminalIndex.find(text, terminals.length).items
  const found = among.filter((terminal) => matches(terminal, context))
  const shown = found.slice(0, most.terminals).map(toTerminalEntry)
  return found.length > 1 ? [toFleetEntry(found.length, search.trim()), ...shown] : shown
}

/** The palette's results for a search, with groups in display order. */
export function listEntries(search: string, sources: Sources): PaletteEntry[] {
  const text = search.trim()
  if (text === '') return [...sources.pages.map(toPageEntry), ...listSuggestions('', sources)]
  const users = sources.userIndex.find(text, most.users).items
  const pools = sources.poolIndex.find(text, most.pools).items
  return [
    ...listReboots(text, sources),
    ...listActions(text, sources),
    ...listTerminals(search, sources),
    ...sources.pageIndex.find(text, most.pages).items.map(toPageEntry),
    ...sources.viewIndex.find(text, most.views).items.map(toViewEntry),
    ...users.map(
      ({ email, customerName, company }): PaletteEntry => ({
        group: 'People',
        label: customerName || email,
        about: `${email}, ${company}`,
        target: { kind: 'user', email },
      }),
    ),
    ...pools.map(
      ({ plan_name, virtual_plan_id, assigned_service_lines }): PaletteEntry => ({
        group: 'Data pools',
        label: plan_name,
        about: formatCounted(assigned_service_lines.length, 'line', 'lines'),
        target: { kind: 'pool', id: virtual_plan_id },
      }),
    ),
    ...listSuggestions(search, sources),
  ]
}
