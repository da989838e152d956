import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { BulkProgress } from '#contract/bulk.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { bulkListQuery } from './bulk-queries.ts'
import { describeProgress, kindWords } from './bulk-words.ts'
import classes from './SelectionBar.module.css'
import { useSeenChanges } from './use-seen-changes.ts'

const ProgressDialog = lazy(() =>
  importWithRetry(() => import('./ProgressDialog.tsx')).then((it) => ({ default: it.ProgressDialog })),
)

const DAY_MS = 24 * 3_600_000
const isRecent = ({ startedAt }: BulkProgress) => startedAt.getTime() > Date.now() - DAY_MS

/**
 * The newest change that is running or whose result the user has not seen, for users who closed the page meanwhile.
 */
export function RecentChange() {
  const { data } = useQuery(bulkListQuery)
  const { seen, markSeen } = useSeenChanges()
  const [shownId, setShownId] = useState<string>()
  const change = data?.find((each) => each.state === 'running' || (isRecent(each) && !seen.includes(each.id)))
  return (
    <>
      {change && (
        <section className={classes.bar} aria-label="Change of many terminals">
          <span role="status">
            <strong>{kindWords[change.kind].title}:</strong> {describeProgress(change)}
          </span>
          <span className={classes.actions}>
            <Button variant="default" size="compact-sm" onClick={() => setShownId(change.id)}>
              Show
            </Button>
            {change.state !== 'running' && (
              <Button variant="subtle" size="compact-sm" onClick={() => markSeen(change.id)}>
                Dismiss
              </Button>
            )}
          </span>
        </section>
      )}
      {shownId && (
        <Suspense>
          <ProgressDialog id={shownId} onClose={() => setShownId(undefined)} />
        </Suspense>
      )}
    </>
  )
}
