import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Pool } from '#contract/plans.ts'
import type { SavedView } from '#contract/saved-views.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import type { User } from '#contract/users.ts'
import { listPages } from '../../pages.ts'
import { useAt } from '../../past-search.ts'
import { usePermissions } from '../../permissions.ts'
import { useIsAdmin } from '../../session.ts'
import { useNow } from '../../ui/use-now.ts'
import { getDisplayName } from '../fleet/fleet.ts'
import { fleetQuery } from '../fleet/fleet-queries.ts'
import { useIsListStale } from '../fleet/use-live-fleet.ts'
import { poolNamesQuery } from '../fleet/use-search-terms.ts'
import { poolsQuery } from '../pools-query.ts'
import { usersQuery } from '../users-query.ts'
import { viewsQuery } from '../views/views-query.ts'
import type { Sources } from './entries.ts'
import { createFuzzyIndex } from './fuzzy-search.ts'

const noTerminals: readonly TerminalListItem[] = []
const noUsers: readonly User[] = []
const noViews: readonly SavedView[] = []
const noPools: readonly Pool[] = []

const describeTerminal = (terminal: TerminalListItem) =>
  [getDisplayName(terminal), terminal.nickname, terminal.city, terminal.deviceID, terminal.serviceLine].join('\n')

const minuteMs = 60_000

interface Found {
  sources: Sources
  /** Whether the terminals are among them. */
  terminalState: 'pending' | 'error' | 'success'
  /** Whether statuses may be out of date. */
  isStale: boolean
}

/** Everything that the signed-in user can search. */
export function useSources(search: string): Found {
  const router = useRouter()
  const permissions = usePermissions()
  const isDark = useComputedColorScheme('light') === 'dark'
  const nowMs = useNow(minuteMs)
  const at = useAt()
  const isAdmin = useIsAdmin()

  const fleet = useQuery(fleetQuery)
  const users = useQuery({ ...usersQuery, enabled: isAdmin, staleTime: minuteMs }).data ?? noUsers
  const views = useQuery(viewsQuery).data ?? noViews
  const mayManagePlans = permissions.plan_manager === true
  const pools = useQuery({ ...poolsQuery, enabled: mayManagePlans, staleTime: minuteMs }).data ?? noPools
  const poolNames = useQuery({ ...poolNamesQuery(at), enabled: /pool:/i.test(search) }).data
  const terminals = fleet.data?.terminals ?? noTerminals
  const isStale = useIsListStale(fleet.data)

  const terminalIndex = useMemo(() => createFuzzyIndex(terminals, describeTerminal), [terminals])
  const userIndex = useMemo(
    () => createFuzzyIndex(users, ({ email, customerName, company }) => [customerName, email, company].join('\n')),
    [users],
  )
  const viewIndex = useMemo(() => createFuzzyIndex(views, ({ name }) => name), [views])
  const poolIndex = useMemo(() => createFuzzyIndex(pools, ({ plan_name }) => plan_name), [pools])
  const pages = useMemo(
    () =>
      listPages(router).filter(
        ({ access, permission }) =>
          (access !== 'admin' || isAdmin) && (permission === undefined || permissions[permission] === true),
      ),
    [router, isAdmin, permissions],
  )
  const pageIndex = useMemo(() => createFuzzyIndex(pages, ({ label }) => label), [pages])
  const sources = useMemo(
    () => ({
      terminals,
      terminalIndex,
      userIndex,
      poolIndex,
      viewIndex,
      pages,
      pageIndex,
      isDark,
      mayReboot: permissions.terminal_control === true && at === undefined,
      context: { nowMs, pools: poolNames },
    }),
    [
      terminals,
      terminalIndex,
      userIndex,
      poolIndex,
      viewIndex,
      pages,
      pageIndex,
      isDark,
      permissions,
      at,
      nowMs,
      poolNames,
    ],
  )
  return { sources, terminalState: fleet.data ? 'success' : fleet.status, isStale }
}
