import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { type BulkKind, type Change, maxBulkTerminals } from '#contract/bulk.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { BulkPreview } from './BulkPreview.tsx'
import { BulkProgress } from './BulkProgress.tsx'
import { kindWords } from './bulk-words.ts'
import { ChangeForm } from './ChangeForm.tsx'

interface BulkDialogProps {
  kind: BulkKind
  terminals: readonly string[]
  onClose: () => void
}

/** Changes many terminals in three steps: input, preview and progress. */
export function BulkDialog({ kind, terminals, onClose }: BulkDialogProps) {
  // The terminals selected when the dialog was opened, whatever happens to the list in the meantime.
  const [chosen] = useState(terminals)
  const [entered, setEntered] = useState<Change>()
  const [isPreviewed, setPreviewed] = useState(false)
  const [startedId, setStartedId] = useState<string>()
  const enter = (next: Change) => {
    setEntered(next)
    setPreviewed(true)
  }
  const isReboot = kind === 'reboot'
  const change: Change | undefined = isReboot ? { kind } : isPreviewed ? entered : undefined
  return (
    <Dialog onClose={onClose} title={kindWords[kind].title} centered size="lg">
      {chosen.length > maxBulkTerminals ? (
        <TooMany count={chosen.length} onClose={onClose} />
      ) : startedId ? (
        <BulkProgress id={startedId} onUndo={setStartedId} onClose={onClose} />
      ) : change ? (
        <BulkPreview
          terminals={chosen}
          change={change}
          onBack={isReboot ? undefined : () => setPreviewed(false)}
          onStarted={setStartedId}
          onClose={onClose}
        />
      ) : isReboot ? null : (
        <ChangeForm kind={kind} entered={entered} onEnter={enter} onCancel={onClose} />
      )}
    </Dialog>
  )
}

/** Said before anything is entered that could not be applied. */
const TooMany = ({ count, onClose }: { count: number; onClose: () => void }) => (
  <Stack gap="sm">
    <Alert color="red" role="alert">
      {formatCounted(count, 'terminal')} are selected. Please select at most {formatCount(maxBulkTerminals)} at once,
      for example by a search or a status.
    </Alert>
    <Group justify="flex-end">
      <Button onClick={onClose}>Close</Button>
    </Group>
  </Stack>
)
