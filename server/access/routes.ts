import type { access } from '#contract/access.ts'
import { type FeatureItem, featureCodes, featureItems } from '#contract/features.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { accessVersion } from './effective.ts'
import { getEffective, getMatrix } from './matrix.ts'
import { setAccessValue } from './set-value.ts'

const toPermission = (item: FeatureItem, value: string) =>
  featureItems[item].kind === 'boolean' ? value === 'true' : value

export const accessHandlers: Handlers<typeof access> = {
  myEffective: async ({ user, permissions }, { items = featureCodes }) => ({
    version: accessVersion(user, permissions),
    ...Object.fromEntries(
      featureCodes.filter((item) => items.includes(item)).map((item) => [item, toPermission(item, permissions[item])]),
    ),
  }),
  matrix: ({ transaction, tenantId, services }) => transaction((db) => getMatrix(db, tenantId, services.now())),
  effective: ({ transaction, tenantId }, { user_id }) =>
    transaction((db) => getEffective(db, tenantId, Number(user_id))),
  setValue: setAccessValue,
}
