/** What an administrator can grant or withhold per person. Administrators hold all of them. */
export const featureItems = {
  plan_manager: { label: 'Plan Manager', kind: 'boolean', default: 'false' },
  rename_terminal: { label: 'Rename Terminal', kind: 'boolean', default: 'false' },
  metadata: {
    label: 'Metadata',
    kind: 'enum',
    default: 'cannot_see',
    options: ['cannot_see', 'read_only', 'read_write'],
  },
  terminal_control: { label: 'Terminal Control', kind: 'boolean', default: 'true' },
} as const

export type FeatureItem = keyof typeof featureItems
