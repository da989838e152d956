import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { BulkKind } from '#contract/bulk.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { usePermissions } from '../../permissions.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import classes from './SelectionBar.module.css'
import type { Selection } from './use-selection.ts'

const BulkDialog = lazy(() =>
  importWithRetry(() => import('./BulkDialog.tsx')).then((it) => ({ default: it.BulkDialog })),
)

interface SelectionBarProps {
  selection: Selection
  matching: readonly { id: string }[]
  isPast: boolean
  onDownload: () => void
}

/** The actions for the selected terminals. */
export function SelectionBar({ selection, matching, isPast, onDownload }: SelectionBarProps) {
  const { metadata, plan_manager, terminal_control } = usePermissions()
  const [doing, setDoing] = useState<BulkKind>()
  const { ids, hiddenCount } = selection
  const actions: { kind: BulkKind; label: string; isAllowed: boolean }[] = [
    { kind: 'metadata', label: 'Set metadata…', isAllowed: metadata === 'read_write' },
    { kind: 'pool', label: 'Data pool…', isAllowed: plan_manager === true },
    { kind: 'notifications', label: 'Notifications…', isAllowed: true },
    { kind: 'reboot', label: 'Reboot…', isAllowed: terminal_control === true },
  ]
  return (
    <>
      {ids.size + hiddenCount > 0 && (
        <section className={classes.bar} aria-label="Selected terminals">
          <span role="status">
            <strong>{formatCounted(ids.size, 'terminal')} selected</strong>
            {hiddenCount > 0 && `, ${formatCount(hiddenCount)} more hidden by the search or filter`}
          </span>
          {matching.some(({ id }) => !ids.has(id)) && (
            <Button variant="subtle" h="var(--touch)" onClick={() => selection.add(matching.map(({ id }) => id))}>
              Select all {formatCount(matching.length)} that match
            </Button>
          )}
          <Button variant="subtle" h="var(--touch)" onClick={selection.clear}>
            Clear selection
          </Button>
          {ids.size > 0 && (
            <span className={classes.actions}>
              <Button variant="default" h="var(--touch)" px={12} onClick={onDownload}>
                CSV of selected
              </Button>
              {actions
                .filter(({ isAllowed }) => isAllowed && !isPast)
                .map(({ kind, label }) => (
                  <Button key={kind} variant="default" h="var(--touch)" px={12} onClick={() => setDoing(kind)}>
                    {label}
                  </Button>
                ))}
            </span>
          )}
        </section>
      )}
      {doing && (
        <Suspense>
          <BulkDialog kind={doing} terminals={[...ids]} onClose={() => setDoing(undefined)} />
        </Suspense>
      )}
    </>
  )
}
