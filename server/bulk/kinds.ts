import type { BulkKind, Change } from '#contract/bulk.ts'
import { forbidden } from '#contract/errors.ts'
import { isGranted } from '#contract/features.ts'
import type { MetadataField } from '#contract/service-lines.ts'
import type { Permissions } from '../platform/context.ts'
import type { StoredBulk } from './change-rows.ts'
import type { LineValues } from './line-values.ts'
import { createMetadataValues } from './metadata-values.ts'
import { notificationValues } from './notification-values.ts'
import { createPoolValues } from './pool-values.ts'

/** Throws unless these permissions allow the change. Every user may choose their own notifications. */
export const requirePermission = (kind: BulkKind, permissions: Permissions) => {
  if (kind === 'metadata' && permissions.metadata !== 'read_write') throw forbidden('You cannot change metadata.')
  if (kind === 'pool' && !isGranted('plan_manager', permissions.plan_manager))
    throw forbidden('You cannot change data pools.')
  if (kind === 'reboot' && !isGranted('terminal_control', permissions.terminal_control))
    throw forbidden('You cannot send commands to terminals.')
}

/** The values that a change sets; undefined if it sends commands. */
export const findValues = ({ id, kind, field }: Pick<StoredBulk, 'kind' | 'field'> & { id?: string }) => {
  const kinds: Record<BulkKind, () => LineValues | undefined> = {
    metadata: () => createMetadataValues(field as MetadataField),
    pool: () => createPoolValues(id),
    notifications: () => notificationValues,
    reboot: () => undefined,
  }
  return kinds[kind]()
}

export const getField = (change: Change) => (change.kind === 'metadata' ? change.field : null)

/** The value for every line, as stored; also null if it sends commands. */
export const getDesired = (change: Change) => {
  switch (change.kind) {
    case 'metadata':
      return change.value
    case 'pool':
      return change.poolId
    case 'notifications':
      return change.isOn ? 'on' : 'off'
    case 'reboot':
      return null
  }
}
