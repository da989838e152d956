import type { FeatureItem } from '#contract/features.ts'
import type { AssistantLink } from '#contract/support.ts'
import type { Faq } from '../tenants/configuration.ts'

interface HowTo {
  question: string
  answer: string
  keywords: string[]
  link?: AssistantLink
  /** Only those who may do it get the answer. */
  needs?: 'admin' | 'session' | FeatureItem
}

/** How this portal is used. A reseller's own questions and answers come first. */
const HOW_TOS: HowTo[] = [
  {
    question: 'How do I restart a terminal?',
    answer: 'Open the terminal and choose Reboot. It is back after about two minutes.',
    keywords: ['reboot terminal', 'reboot'],
    needs: 'terminal_control',
  },
  {
    question: 'How do I rename a terminal?',
    answer: 'Open the terminal and choose the pencil beside its name.',
    keywords: ['rename', 'change the name of a terminal', 'custom name'],
    needs: 'rename_terminal',
  },
  {
    question: 'How do I change my password?',
    answer: 'Open your profile and enter your current and your new password. Your other sessions end.',
    keywords: ['reset password', 'new password', 'forgot password'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'How do I get notifications when a terminal goes offline?',
    answer: 'In your profile, switch notifications on and choose the terminals they are about.',
    keywords: ['notifications', 'notify me', 'alerts by email', 'alerts by sms'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'How do I download my terminals as a CSV file?',
    answer: 'The dashboard and the terminal table have a CSV button. It saves the list as you have filtered it.',
    keywords: ['csv', 'export', 'download list', 'excel', 'spreadsheet'],
    link: { text: 'Open the terminal table', page: '/terminaltable' },
    needs: 'session',
  },
  {
    question: 'How do I create a pool?',
    answer: 'Open the plan manager, choose Create New Pool, and add the service lines that share the data.',
    keywords: ['new pool', 'create virtual plan', 'add line to pool', 'edit pool'],
    link: { text: 'Open the plan manager', page: '/plan-manager' },
    needs: 'plan_manager',
  },
  {
    question: 'How do I add a user?',
    answer: 'Open the admin page and choose Create User. The user gets an initial password and is asked to change it.',
    keywords: ['create user', 'new user', 'invite user', 'delete user'],
    link: { text: 'Open the admin page', page: '/admin-page' },
    needs: 'admin',
  },
  {
    question: 'Who changed something?',
    answer: 'The editing log lists who changed what and when, and can be verified.',
    keywords: ['editing log', 'history of changes', 'audit log'],
    link: { text: 'Open the editing log', page: '/editing-logs' },
    needs: 'admin',
  },
]

interface Asker {
  isSignedIn: boolean
  isAdmin: boolean
  can: (item: FeatureItem) => boolean
}

const mayDo = ({ needs }: HowTo, { isSignedIn, isAdmin, can }: Asker) => {
  if (needs === undefined) return true
  if (needs === 'session') return isSignedIn
  return needs === 'admin' ? isAdmin : isSignedIn && can(needs)
}

export const listHowTos = (asker: Asker) => HOW_TOS.filter((howTo) => mayDo(howTo, asker)) satisfies Faq
