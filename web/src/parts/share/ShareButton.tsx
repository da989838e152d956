import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { ShareKind } from '#contract/share-links.ts'
import { useIsAdmin } from '../../session.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'

const ShareDialog = lazy(() =>
  importWithRetry(() => import('./ShareDialog.tsx')).then((module) => ({ default: module.ShareDialog })),
)

interface ShareButtonProps {
  kind: ShareKind
  subject: string
  /** For a line of links. */
  isCompact?: boolean
}

/** For administrators: opens the links of a terminal, incident or report. */
export function ShareButton({ kind, subject, isCompact = false }: ShareButtonProps) {
  const isAdmin = useIsAdmin()
  const [isOpen, setIsOpen] = useState(false)
  if (!isAdmin) return null
  return (
    <>
      <Button
        variant="default"
        {...(isCompact ? { size: 'compact-sm' } : { h: 'var(--touch)' })}
        onClick={() => setIsOpen(true)}
      >
        Share
      </Button>
      {isOpen && (
        <Suspense>
          <ShareDialog kind={kind} subject={subject} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
