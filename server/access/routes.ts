import type { access, MetadataLevel } from '#contract/access.ts'
import type { FeatureItem } from '#contract/features.ts'
import { type Handlers, pending } from '../http.ts'

export const accessHandlers: Handlers<typeof access> = {
  myEffective: async ({ permissions }, { items }) => {
    const asked = (item: FeatureItem) => items === undefined || items.includes(item)
    return {
      ...(asked('plan_manager') && { plan_manager: permissions.plan_manager === 'true' }),
      ...(asked('rename_terminal') && { rename_terminal: permissions.rename_terminal === 'true' }),
      ...(asked('terminal_control') && { terminal_control: permissions.terminal_control === 'true' }),
      ...(asked('metadata') && { metadata: permissions.metadata as MetadataLevel }),
    }
  },
  matrix: pending,
  effective: pending,
  setValue: pending,
}
