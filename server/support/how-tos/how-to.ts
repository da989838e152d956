import type { FeatureItem } from '#contract/features.ts'
import type { AssistantLink } from '#contract/support.ts'

/** A question about how this portal is used, with its answer. */
export interface HowTo {
  question: string
  answer: string
  keywords: string[]
  link?: AssistantLink
  /** Only users who may do it get the answer. */
  needs?: 'admin' | 'session' | FeatureItem
}
