import type { FeatureItem } from './features.ts'

/**
 * What each item lets a user do, for the administrators who grant it. Apart from the items, because every page loads those.
 */
export const featureExplanations: Record<FeatureItem, string> = {
  plan_manager: 'Sees, creates and changes data pools, buys top-ups, and gets mails when a pool reaches its limit.',
  rename_terminal: 'Changes the names of the terminals of their group.',
  metadata:
    'The three notes of each terminal. Cannot see: they are hidden. Read only: shown. Read write: shown and changeable.',
  terminal_control: 'Reboots terminals, and changes their IP policy, automatic top-up and snow melt mode.',
}
