import type { SignedInUser } from '../platform/context.ts'
import { visibleGroup } from '../platform/scope.ts'

/**
 * Whose pool it is: that of the person who manages plans for a customer; of an administrator's, that of the customer to
 * whom all its lines belong. A pool without lines stays whose it was.
 */
export const findPoolGroup = (
  user: Pick<SignedInUser, 'role' | 'group'>,
  members: readonly { group: string }[],
  before: string | null,
): string | null => {
  const ownGroup = visibleGroup(user)
  if (ownGroup !== undefined) return ownGroup
  const groups = new Set(members.map((line) => line.group))
  if (groups.size === 0) return before
  return groups.size === 1 ? (members[0]?.group ?? null) : null
}
