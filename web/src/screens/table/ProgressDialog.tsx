import { Modal } from '@mantine/core'
import { useState } from 'react'
import { BulkProgress } from './BulkProgress.tsx'

interface ProgressDialogProps {
  id: string
  onClose: () => void
}

/** The progress of a change that was started earlier. */
export function ProgressDialog({ id, onClose }: ProgressDialogProps) {
  const [undoId, setUndoId] = useState<string>()
  return (
    <Modal opened onClose={onClose} title="Change of many terminals" centered size="lg">
      <BulkProgress id={undoId ?? id} onUndo={setUndoId} onClose={onClose} />
    </Modal>
  )
}
