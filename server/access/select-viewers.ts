import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'
import { getVisibleGroup } from '../platform/scope.ts'
import { holdsItem } from './effective.ts'

/** The users of a tenant with the fields that determine which plans they may see. */
export const selectViewers = (db: Db, tenantId: string) =>
  db
    .selectFrom('users as user')
    .leftJoin('feature_grants as grant', (join) =>
      join
        .onRef('grant.tenant_id', '=', 'user.tenant_id')
        .onRef('grant.user_id', '=', 'user.id')
        .on('grant.item', '=', 'plan_manager'),
    )
    .select(['user.email', 'user.role', 'user.group_name', 'grant.value as set'])
    .where('user.tenant_id', '=', tenantId)

type ViewerRow = Awaited<ReturnType<ReturnType<typeof selectViewers>['executeTakeFirstOrThrow']>>

/** The address, the group if the user is limited to it, and whether the user may see plans. */
export const toViewer = ({ email, role, group_name, set }: ViewerRow) => ({
  email,
  group: getVisibleGroup({ role: role as Role, group: group_name }),
  seesPlans: holdsItem('plan_manager', role as Role, set),
})
