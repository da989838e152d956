import { Anchor, Skeleton, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { ApiError } from '#contract/errors.ts'
import { poolsQuery } from '../../parts/pools-query.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { PoolEditor } from './PoolEditor.tsx'
import { PoolOutlook } from './PoolOutlook.tsx'
import classes from './PoolPage.module.css'
import { newPool } from './plan-manager-search.ts'

const route = getRouteApi('/plan-manager/$pool')

/** One pool with its usage, its forecast and its form, on its own page. */
export function PoolPage() {
  const { pool: id } = route.useParams()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const pools = useQuery(poolsQuery)
  const pool = pools.data?.find(({ virtual_plan_id }) => virtual_plan_id === id)
  const isNew = id === newPool
  const isMissing = pools.data !== undefined && !pool && !isNew
  const close = () => void navigate({ to: '/plan-manager' })
  const refresh = () => void queries.invalidateQueries({ queryKey: poolsQuery.queryKey })

  const status = pools.error instanceof ApiError ? pools.error.status : undefined
  if (status === 401) return <Navigate to="/dashboard" replace />
  if (status === 403) return <Navigate to="/forbidden" replace />
  if (pools.isError && !pools.data) return <QueryFailure isPage what="The pool could not be loaded." query={pools} />
  return (
    <div className={classes.page}>
      <Anchor component={Link} to="/plan-manager" className={classes.back}>
        Defined Pools
      </Anchor>
      <Title order={1}>
        {isNew ? 'Create New Pool' : isMissing ? 'There is no such pool.' : `Editing Pool ID: ${id}`}
      </Title>
      {pools.isPending && <Skeleton height={480} radius={12} />}
      {isMissing && <p>It may have been deleted. Defined Pools lists all that there are.</p>}
      {pools.data && (pool || isNew) && (
        <div className={classes.columns} data-single={isNew || undefined}>
          <div className={classes.panel}>
            <PoolEditor key={id} pool={pool} isInDialog={false} onSaved={refresh} onClose={close} />
          </div>
          {pool && (
            <aside className={classes.aside} aria-label="The pool as it is">
              <PoolOutlook pool={pool} />
            </aside>
          )}
        </div>
      )}
    </div>
  )
}
