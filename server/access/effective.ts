import { createHash } from 'node:crypto'
import { type FeatureItem, featureCodes, featureItems, isGranted, listFeatureValues } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import type { Permissions, SignedInUser } from '../platform/context.ts'

/** The most an item can give: what administrators hold. */
const fullGrant = (item: FeatureItem) => listFeatureValues(item).at(-1) as string

/** What gives or denies a user an item: their role, what was set for them, or the default. */
export const effectiveValue = (item: FeatureItem, role: Role, set: string | undefined) => {
  if (role === 'admin') return { value: fullGrant(item), source: 'admin' as const }
  // A value that the item no longer knows, from an older version, gives nothing by itself.
  if (set !== undefined && listFeatureValues(item).includes(set)) return { value: set, source: 'set' as const }
  return { value: featureItems[item].default as string, source: 'default' as const }
}

/** Whether a user holds an item, given what was set for them. */
export const holdsItem = (item: FeatureItem, role: Role, set: string | null) =>
  isGranted(item, effectiveValue(item, role, set ?? undefined).value)

/** What a user may do: an administrator everything, others what was granted to them or is given by default. */
export const effectivePermissions = (role: Role, set: Partial<Record<string, string>>): Permissions =>
  Object.fromEntries(featureCodes.map((item) => [item, effectiveValue(item, role, set[item]).value])) as Permissions

/** Changes whenever anything changes that decides what the user sees or may do. */
export const accessVersion = (
  { role, group, mustChangePassword, mustAddFactor }: SignedInUser,
  permissions: Permissions,
) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        role,
        group,
        mustChangePassword,
        mustAddFactor,
        ...featureCodes.map((item) => permissions[item]),
      ]),
    )
    .digest('base64url')
    .slice(0, 16)
