import type { BulkKind, Change } from '#contract/bulk.ts'
import { forbidden } from '#contract/errors.ts'
import { isGranted } from '#contract/features.ts'
import type { MetadataField } from '#contract/service-lines.ts'
import type { Permissions } from '../platform/context.ts'
import type { StoredBulk } from './change-rows.ts'
import type { LineValues } from './line-values.ts'
import { createMetadataValues } from './metadata-values.ts'

/** Throws unless somebody with these permissions may do this to terminals. */
export const requirePermission = (kind: BulkKind, permissions: Permissions) => {
  if (kind === 'metadata' && permissions.metadata !== 'read_write') throw forbidden('You cannot change metadata.')
  if (kind === 'reboot' && !isGranted('terminal_control', permissions.terminal_control))
    throw forbidden('You cannot send commands to terminals.')
}

/** What a change sets; undefined if it sends commands. */
export const findValues = ({ kind, field }: Pick<StoredBulk, 'kind' | 'field'>): LineValues | undefined =>
  kind === 'metadata' ? createMetadataValues(field as MetadataField) : undefined

export const getField = (change: Change) => (change.kind === 'metadata' ? change.field : null)

/** The value that every line gets, as it is stored; null also if it sends commands. */
export const getDesired = (change: Change) => (change.kind === 'metadata' ? change.value : null)
