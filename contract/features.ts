interface FeatureDescription {
  label: string
  /** What it lets a user do, for the administrators who grant it. */
  allows: string
  kind: 'boolean' | 'enum'
  default: string
  /** From least to most access. */
  options?: readonly string[]
}

/**
 * What an administrator can grant or withhold per user. Administrators have all of them. An item added here appears in
 * the access matrix, in every user's permissions, in the API and in the browser.
 */
export const featureItems = {
  plan_manager: {
    label: 'Plan Manager',
    allows: 'Sees, creates and changes data pools, buys top-ups, and gets mails when a pool reaches its limit.',
    kind: 'boolean',
    default: 'false',
  },
  rename_terminal: {
    label: 'Rename Terminal',
    allows: 'Changes the names of the terminals of their group.',
    kind: 'boolean',
    default: 'false',
  },
  metadata: {
    label: 'Metadata',
    allows:
      'The three notes of each terminal. Cannot see: they are hidden. Read only: shown. Read write: shown and changeable.',
    kind: 'enum',
    default: 'cannot_see',
    options: ['cannot_see', 'read_only', 'read_write'],
  },
  terminal_control: {
    label: 'Terminal Control',
    allows: 'Reboots terminals, and changes their IP policy, automatic top-up and snow melt mode.',
    kind: 'boolean',
    default: 'true',
  },
} as const satisfies Record<string, FeatureDescription>

export type FeatureItem = keyof typeof featureItems

export const featureCodes = Object.keys(featureItems) as FeatureItem[]

const descriptions: Record<FeatureItem, FeatureDescription> = featureItems

/** The values an item can have, from least to most access. */
export const listFeatureValues = (item: FeatureItem): readonly string[] =>
  descriptions[item].options ?? ['false', 'true']

/** Whether a value grants any use of the item. */
export const isGranted = (item: FeatureItem, value: string) => value !== listFeatureValues(item)[0]

/** A permission as the API returns it: on or off, or one of the item's levels. */
export type PermissionValue<Item extends FeatureItem = FeatureItem> = (typeof featureItems)[Item] extends {
  options: readonly (infer Level)[]
}
  ? Level
  : boolean
