import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { BulkKind, Change } from '#contract/bulk.ts'
import { BulkPreview } from './BulkPreview.tsx'
import { BulkProgress } from './BulkProgress.tsx'
import { kindWords } from './bulk-words.ts'
import { MetadataForm } from './MetadataForm.tsx'

interface BulkDialogProps {
  kind: BulkKind
  terminals: readonly string[]
  onClose: () => void
}

/** Changes many terminals: what, then what that means for each, then how far it is. */
export function BulkDialog({ kind, terminals, onClose }: BulkDialogProps) {
  // Those that were selected when the dialog was opened, whatever happens to the list meanwhile.
  const [chosen] = useState(terminals)
  const [change, setChange] = useState<Change | undefined>(kind === 'reboot' ? { kind } : undefined)
  const [isEntered, setEntered] = useState(kind === 'reboot')
  const [startedId, setStartedId] = useState<string>()
  const enter = (next: Change) => {
    setChange(next)
    setEntered(true)
  }
  return (
    <Modal opened onClose={onClose} title={kindWords[kind].title} centered size="lg">
      {startedId ? (
        <BulkProgress id={startedId} onUndo={setStartedId} onClose={onClose} />
      ) : change && isEntered ? (
        <BulkPreview
          terminals={chosen}
          change={change}
          onBack={kind === 'reboot' ? undefined : () => setEntered(false)}
          onStarted={setStartedId}
          onClose={onClose}
        />
      ) : (
        <MetadataForm entered={change} onEnter={enter} onCancel={onClose} />
      )}
    </Modal>
  )
}
