import type { Role } from '#contract/identity.ts'
import type { Scope } from './database/database.ts'

/** The group whose lines a user may see; undefined for an administrator, who sees every line of the tenant. */
export const getVisibleGroup = ({ role, group }: { role: Role; group: string }) =>
  role === 'admin' ? undefined : group

export const toScope = (tenantId: string, user: { role: Role; group: string }): Scope => ({
  tenantId,
  group: getVisibleGroup(user),
})
