import type { SignedInUser } from '../platform/context.ts'
import { getVisibleGroup } from '../platform/scope.ts'

/**
 * The customer group that a pool belongs to. A plan manager's pool belongs to their group. An administrator's pool
 * belongs to the group of all its lines, if they share one. A pool without lines keeps its group.
 */
export const findPoolGroup = (
  user: Pick<SignedInUser, 'role' | 'group'>,
  members: readonly { group: string }[],
  before: string | null,
): string | null => {
  const ownGroup = getVisibleGroup(user)
  if (ownGroup !== undefined) return ownGroup
  const groups = new Set(members.map((line) => line.group))
  if (groups.size === 0) return before
  return groups.size === 1 ? (members[0]?.group ?? null) : null
}
