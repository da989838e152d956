import { useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { BulkProgress } from './BulkProgress.tsx'

interface ProgressDialogProps {
  id: string
  onClose: () => void
}

/** The progress of a change that was started earlier. */
export function ProgressDialog({ id, onClose }: ProgressDialogProps) {
  const [undoId, setUndoId] = useState<string>()
  return (
    <Dialog onClose={onClose} title="Change of many terminals" centered size="lg">
      <BulkProgress id={undoId ?? id} onUndo={setUndoId} onClose={onClose} />
    </Dialog>
  )
}
