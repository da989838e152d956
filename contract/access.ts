import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { commaList, id, looseBoolean } from './codecs.ts'
import { type FeatureItem, featureCodes, featureItems, listFeatureValues, type PermissionValue } from './features.ts'
import { Role } from './identity.ts'
import { route } from './route.ts'
import { requiredLine, text } from './text.ts'

/** What was not requested is absent. */
export type Permissions = {
  /** Opaque. A different value means that the caller's role, group or items have changed. */
  version?: string | undefined
} & { [Item in FeatureItem]?: PermissionValue<Item> | undefined }

const describeItems = <Schema>(describe: (item: FeatureItem) => Schema) =>
  Object.fromEntries(featureCodes.map((item) => [item, describe(item)]))

const isSwitch = (item: FeatureItem) => featureItems[item].kind === 'boolean'

type PermissionsWire = { version?: string | undefined; notes?: string | null | undefined } & {
  [Item in FeatureItem]?: boolean | string | null | undefined
}

const PermissionsWire = z.object({
  version: z.optional(z.string()),
  ...describeItems((item) => (isSwitch(item) ? z.optional(looseBoolean) : z.nullish(z.string()))),
  /** The former name of `metadata`. */
  notes: z.nullish(z.string()),
}) as unknown as z.ZodMiniType<PermissionsWire, PermissionsWire>

const Permissions = z.object({
  version: z.optional(z.string()),
  ...describeItems((item) => z.optional(isSwitch(item) ? z.boolean() : z.enum([...listFeatureValues(item)]))),
}) as unknown as z.ZodMiniType<Permissions, Permissions>

/** A level that this version does not know counts as the default. */
const readLevel = (item: FeatureItem, value: string) =>
  listFeatureValues(item).includes(value) ? value : featureItems[item].default

const PermissionsResponse = z.codec(PermissionsWire, Permissions, {
  decode: ({ notes, ...sent }) => {
    const permissions: Record<string, unknown> = { ...sent, metadata: sent.metadata ?? notes }
    for (const [name, value] of Object.entries(permissions))
      if (value === undefined || value === null) delete permissions[name]
      else if (name !== 'version' && typeof value === 'string')
        permissions[name] = readLevel(name as FeatureItem, value)
    return permissions
  },
  encode: (permissions) => permissions,
})

const MatrixUser = z.object({ id, full_name: z.string(), email: z.string(), username: z.string(), role: Role })

const MatrixItem = z.object({
  code: z.string(),
  label: z.string(),
  /** 'boolean' shows a switch, 'enum' a choice; a page shows a dash for kinds it does not know. */
  kind: z.string(),
  default_value: z.string(),
  enum_options: z.array(z.string()),
  /** What the item lets a user do. */
  allows: z.string(),
})

const AccessMatrix = z.object({
  users: z.array(MatrixUser),
  items: z.array(MatrixItem),
  /** By user id, then by item code: the values that were set for a user. Absent items have their default. */
  values: z.record(z.string(), z.record(z.string(), z.string())),
})
export type AccessMatrix = z.output<typeof AccessMatrix>

/** The effective permissions of one user and where each comes from. */
const EffectiveItem = z.object({
  code: z.string(),
  label: z.string(),
  allows: z.string(),
  value: z.string(),
  source: z.enum(['admin', 'set', 'default']),
  why: z.string(),
})

const EffectiveAccess = z.object({ user_id: id, full_name: z.string(), role: Role, items: z.array(EffectiveItem) })
export type EffectiveAccess = z.output<typeof EffectiveAccess>

const AccessValue = { user_id: id, item_code: requiredLine(64), value: text(64) }

export const access = {
  myEffective: route({
    method: 'GET',
    path: '/rbac/my-effective/',
    access: 'user',
    isAllowedBeforePasswordChange: true,
    summary: 'What the caller may do; `items` selects items by name, separated by commas',
    input: z.strictObject({ items: z.optional(commaList(200)) }),
    output: PermissionsResponse,
  }),
  matrix: route({
    method: 'GET',
    path: '/acp/matrix/',
    access: 'admin',
    summary: 'Feature access of every user of the tenant',
    input: NoInput,
    output: AccessMatrix,
  }),
  effective: route({
    method: 'GET',
    path: '/acp/effective/:user_id/',
    access: 'admin',
    summary: 'What one user may do, and why',
    input: z.strictObject({ user_id: id }),
    output: EffectiveAccess,
  }),
  setValue: route({
    method: 'PATCH',
    path: '/acp/value/',
    access: 'admin',
    summary: 'Grant one feature item to a user, or withdraw it',
    input: z.strictObject(AccessValue),
    output: z.object(AccessValue),
  }),
}
