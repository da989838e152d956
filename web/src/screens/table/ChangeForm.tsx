import type { BulkKind, Change } from '#contract/bulk.ts'
import { MetadataForm } from './MetadataForm.tsx'
import { NotificationForm } from './NotificationForm.tsx'
import { PoolForm } from './PoolForm.tsx'

export interface ChangeFormProps {
  /** The input before the user returned from the preview. */
  entered: Change | undefined
  onEnter: (change: Change) => void
  onCancel: () => void
}

/** The form for the change to the selected terminals. */
export function ChangeForm({ kind, ...props }: ChangeFormProps & { kind: Exclude<BulkKind, 'reboot'> }) {
  if (kind === 'pool') return <PoolForm {...props} />
  return kind === 'metadata' ? <MetadataForm {...props} /> : <NotificationForm {...props} />
}
