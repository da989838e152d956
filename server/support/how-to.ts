import type { FeatureItem } from '#contract/features.ts'
import type { Faq } from '../tenants/configuration.ts'
import { accountHowTos } from './how-tos/account.ts'
import { administrationHowTos } from './how-tos/administration.ts'
import type { HowTo } from './how-tos/how-to.ts'
import { operationHowTos } from './how-tos/operations.ts'
import { serviceHowTos } from './how-tos/service.ts'
import { terminalHowTos } from './how-tos/terminals.ts'
import { contentWords } from './words.ts'

/** How this portal is used. A reseller's own questions and answers take precedence. */
const HOW_TOS = [...serviceHowTos, ...terminalHowTos, ...operationHowTos, ...accountHowTos, ...administrationHowTos]

/** The words of the questions above, to correct typos in others. */
export const HOW_TO_WORDS: ReadonlySet<string> = new Set(
  HOW_TOS.flatMap(({ question, keywords }) => [...contentWords([question, ...keywords].join(' '))]),
)

interface Caller {
  isSignedIn: boolean
  isAdmin: boolean
  can: (item: FeatureItem) => boolean
}

const mayDo = ({ needs }: HowTo, { isSignedIn, isAdmin, can }: Caller) => {
  if (needs === undefined) return true
  if (needs === 'session') return isSignedIn
  return needs === 'admin' ? isAdmin : isSignedIn && can(needs)
}

export const listHowTos = (caller: Caller) => HOW_TOS.filter((howTo) => mayDo(howTo, caller)) satisfies Faq
