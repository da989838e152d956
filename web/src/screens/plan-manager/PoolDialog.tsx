import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Pool } from '#contract/plans.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { PoolEditor } from './PoolEditor.tsx'
import { newPool } from './plan-manager-search.ts'

interface PoolDialogProps {
  /** Undefined: closed. */
  pool: Pool | typeof newPool | undefined
  onClose: (wasSaved: boolean) => void
}

export function PoolDialog({ pool, onClose }: PoolDialogProps) {
  const [wasSaved, setSaved] = useState(false)
  const close = () => {
    onClose(wasSaved)
    setSaved(false)
  }
  const existing = pool === newPool ? undefined : pool
  return (
    <Dialog
      opened={pool !== undefined}
      onClose={close}
      title={existing ? `Editing Pool ID: ${existing.virtual_plan_id}` : 'Create New Pool'}
      size="min(760px, 100%)"
      centered
      closeOnClickOutside={false}
    >
      {pool !== undefined && (
        <Anchor
          display="inline-block"
          mb="sm"
          renderRoot={(props) => (
            <Link to="/plan-manager/$pool" params={{ pool: existing?.virtual_plan_id ?? newPool }} {...props} />
          )}
        >
          Open as a page
        </Anchor>
      )}
      {pool !== undefined && (
        <PoolEditor
          key={existing?.virtual_plan_id ?? newPool}
          pool={existing}
          isInDialog
          onSaved={() => setSaved(true)}
          onClose={close}
        />
      )}
    </Dialog>
  )
}
