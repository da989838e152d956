import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { ApiError } from '#contract/errors.ts'
import { poolsQuery } from '../../parts/pools-query.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { parseSort, toSortSearch } from '../../parts/table-search.ts'
import { useIsAdmin } from '../../session.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns } from '../../ui/data-table.ts'
import { formatShownCount } from '../../ui/shown-count.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { PoolDialog } from './PoolDialog.tsx'
import { newPool, type PlanManagerSearch } from './plan-manager-search.ts'
import { arrangePools, poolColumns } from './pool-columns.tsx'

const route = getRouteApi('/plan-manager')

const searchLabel = 'Search by Pool ID, Pool Name, Kit Number, Service Line, or SL nickname'

const getStatus = (error: unknown) => (error instanceof ApiError ? error.status : undefined)

export function PlanManagerPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const pools = useQuery(poolsQuery)

  const isAdmin = useIsAdmin()
  const deferred = useDeferredValue(search)
  const rows = useMemo(
    () => pools.data && arrangePools(pools.data, deferred.q ?? '', parseSort(deferred)),
    [pools.data, deferred],
  )
  const show = (change: Partial<PlanManagerSearch>, replace = true) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace, resetScroll: false })
  const open = (pool: string) => show({ pool }, false)
  const opened = search.pool === newPool ? newPool : pools.data?.find((pool) => pool.virtual_plan_id === search.pool)

  if (getStatus(pools.error) === 401) return <Navigate to="/dashboard" replace />
  if (getStatus(pools.error) === 403) return <Navigate to="/forbidden" replace />
  if (pools.isError && !pools.data) return <QueryFailure isPage what="The pools could not be loaded." query={pools} />
  return (
    <TablePage
      title="Defined Pools"
      count={rows && formatShownCount(rows.length, pools.data?.length ?? 0)}
      search={{ label: searchLabel, text: search.q ?? '', onChange: (text) => show({ q: text || undefined }) }}
      actions={
        <>
          {isAdmin && (
            <Button variant="default" component={Link} to="/dev-dashboard">
              Executive Dashboard
            </Button>
          )}
          <Button onClick={() => open(newPool)}>+ Create New</Button>
        </>
      }
    >
      <DataTable
        label="Defined pools"
        columns={bindColumns(poolColumns, { onOpen: (pool) => open(pool.virtual_plan_id) })}
        rows={rows}
        rowKey={({ virtual_plan_id }) => virtual_plan_id}
        empty="No virtual plans found."
        sort={parseSort(search)}
        onSort={(sort) => show(toSortSearch(sort))}
        onOpen={(pool) => open(pool.virtual_plan_id)}
      />
      <PoolDialog
        pool={opened}
        onClose={(wasSaved) => {
          show({ pool: undefined })
          if (wasSaved) void pools.refetch()
        }}
      />
    </TablePage>
  )
}
