import { createHash } from 'node:crypto'
import { type FeatureItem, featureCodes, featureItems, isGranted, listFeatureValues } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import type { Permissions, SignedInUser } from '../platform/context.ts'

/** The highest value of an item, which administrators have. */
const fullGrant = (item: FeatureItem) => listFeatureValues(item).at(-1) as string

/** The effective value of an item for a user and its source: the role, an explicit grant, or the default. */
export const getEffectiveValue = (item: FeatureItem, role: Role, set: string | undefined) => {
  if (role === 'admin') return { value: fullGrant(item), source: 'admin' as const }
  // A value that the item does not know, from an older version, grants nothing.
  if (set !== undefined && listFeatureValues(item).includes(set)) return { value: set, source: 'set' as const }
  return { value: featureItems[item].default as string, source: 'default' as const }
}

/** Whether a user has an item, given the value set for them. */
export const holdsItem = (item: FeatureItem, role: Role, set: string | null) =>
  isGranted(item, getEffectiveValue(item, role, set ?? undefined).value)

/** The permissions of a user: all for an administrator, granted or default ones for others. */
export const getEffectivePermissions = (role: Role, set: Partial<Record<string, string>>): Permissions =>
  Object.fromEntries(featureCodes.map((item) => [item, getEffectiveValue(item, role, set[item]).value])) as Permissions

/** Changes whenever anything changes that affects what the user may see or do. */
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
