import type { FeatureItem } from '#contract/features.ts'
import type { AssistantLink } from '#contract/support.ts'
import type { Faq } from '../tenants/configuration.ts'

interface HowTo {
  question: string
  answer: string
  keywords: string[]
  link?: AssistantLink
  /** Only users who may do it get the answer. */
  needs?: 'admin' | 'session' | FeatureItem
}

/** How this portal is used. A reseller's own questions and answers take precedence. */
const HOW_TOS: HowTo[] = [
  {
    question: 'How do I sign in?',
    answer:
      'Choose Sign In at the top of the page and enter your email address and your password. If your account asks for a code, it is sent to your email.',
    keywords: ['sign in', 'log in', 'login'],
  },
  {
    question: 'I forgot my password',
    answer:
      'Choose Forgot Password? on the sign-in page. A new password is sent to your email. It works once, within an hour, and you then choose your own.',
    keywords: ['forgot password', 'lost password', 'forgotten password'],
  },
  {
    question: 'What does obstruction mean?',
    answer:
      'Something stands between the dish and the sky for part of the time: a tree, a mast, a roof. A few tenths of a percent do no harm; above one percent, calls and video may break up.',
    keywords: ['obstruction', 'obstructed'],
  },
  {
    question: 'How is data usage counted?',
    answer:
      'The vendor counts priority and standard data of each service line in UTC days. A pool counts the priority data of all its lines.',
    keywords: ['usage counted', 'data counted'],
  },
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
    keywords: ['reset password', 'new password'],
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
