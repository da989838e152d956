import { type FeatureItem, featureItems } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import type { Permissions } from '../context.ts'

/** The most an item can give: what administrators hold. */
const fullGrant = (item: FeatureItem) => {
  const description = featureItems[item]
  return description.kind === 'boolean' ? 'true' : (description.options.at(-1) ?? description.default)
}

/** What a person may do: an administrator everything, others what was granted to them or is given by default. */
export const effectivePermissions = (role: Role, grants: Partial<Record<string, string>>): Permissions => {
  const items = Object.keys(featureItems) as FeatureItem[]
  const held = (item: FeatureItem) =>
    role === 'admin' ? fullGrant(item) : (grants[item] ?? featureItems[item].default)
  return Object.fromEntries(items.map((item) => [item, held(item)])) as Permissions
}

/** Whether a value of an item lets a person use it at all. */
export const grants = (value: string) => value !== 'false' && value !== 'cannot_see'
