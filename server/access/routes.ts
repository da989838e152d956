import type { access, MetadataLevel } from '#contract/access.ts'
import type { FeatureItem } from '#contract/features.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { accessVersion } from './effective.ts'
import { getEffective, getMatrix } from './matrix.ts'
import { setAccessValue } from './set-value.ts'

export const accessHandlers: Handlers<typeof access> = {
  myEffective: async ({ user, permissions }, { items }) => {
    const asked = (item: FeatureItem) => items === undefined || items.includes(item)
    return {
      version: accessVersion(user, permissions),
      ...(asked('plan_manager') && { plan_manager: permissions.plan_manager === 'true' }),
      ...(asked('rename_terminal') && { rename_terminal: permissions.rename_terminal === 'true' }),
      ...(asked('terminal_control') && { terminal_control: permissions.terminal_control === 'true' }),
      ...(asked('metadata') && { metadata: permissions.metadata as MetadataLevel }),
    }
  },
  matrix: ({ transaction, tenantId }) => transaction((db) => getMatrix(db, tenantId)),
  effective: ({ transaction, tenantId }, { user_id }) =>
    transaction((db) => getEffective(db, tenantId, Number(user_id))),
  setValue: setAccessValue,
}
