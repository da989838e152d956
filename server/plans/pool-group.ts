import type { SignedInUser } from '../platform/context.ts'

/**
 * Whose pool it is: that of the person who manages plans for a customer; of an administrator's, that of the customer to
 * whom all its lines belong. A pool without lines stays whose it was.
 */
export const groupOfPool = (
  { role, group }: Pick<SignedInUser, 'role' | 'group'>,
  members: readonly { group: string }[],
  before: string | null,
): string | null => {
  if (role !== 'admin') return group
  const groups = new Set(members.map((line) => line.group))
  if (groups.size === 0) return before
  return groups.size === 1 ? (members[0]?.group ?? null) : null
}
