import type { FeatureItem } from '#contract/features.ts'
import type { AssistantLink } from '#contract/support.ts'
import type { Faq } from '../tenants/configuration.ts'
import { contentWords } from './words.ts'

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
    question: 'Hello',
    answer: 'Hello. Ask about your terminals, your data, or how something is done.',
    keywords: ['hi', 'hey', 'good morning', 'good evening'],
  },
  {
    question: 'Thank you',
    answer: 'You are welcome.',
    keywords: ['thanks', 'thank you very much', 'thanks a lot'],
  },
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
    question: 'What does latency mean?',
    answer: 'How long a small packet takes to the internet and back. Below 100 ms, calls and games work well.',
    keywords: ['latency', 'ping'],
  },
  {
    question: 'What does ping drop rate mean?',
    answer:
      'The share of test packets that were lost. Up to two percent is hardly noticed; above that, calls and video may break up.',
    keywords: ['ping drop rate', 'packet loss', 'lost packets'],
  },
  {
    question: 'What does signal quality mean?',
    answer: 'How well the dish receives the satellites. It should be near 100%; below 80%, the connection suffers.',
    keywords: ['signal quality', 'signal'],
  },
  {
    question: 'What does offline mean?',
    answer:
      'The terminal has stopped reporting. Its page shows since when and, if it is known, why. A loss of power is the most common cause.',
    keywords: [],
  },
  {
    question: 'What does No Data mean?',
    answer:
      'Nothing is known about the terminal at the moment: it has not reported, and the vendor does not say that it is offline.',
    keywords: [],
  },
  {
    question: 'What does disabled mean?',
    answer: 'The vendor has switched the service off. The alerts of the terminal say why.',
    keywords: [],
  },
  {
    question: 'How is data usage counted?',
    answer:
      'The vendor counts priority and standard data of each service line in UTC days. A pool counts the priority data of all its lines.',
    keywords: ['usage counted', 'data counted'],
  },
  {
    question: 'How do I restart a terminal?',
    answer: 'Open the terminal and choose Reboot. It is offline for about 2 to 5 minutes.',
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
    question: 'How do I turn on text messages?',
    answer:
      'In your profile, under Notifications, switch on SMS, enter your phone number, and confirm it with the code that you receive.',
    keywords: ['sms', 'texts', 'phone number'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'How do I set up two-factor authentication?',
    answer: 'In your profile, under Security, add an authenticator app or a passkey, and keep the recovery codes.',
    keywords: ['passkey', 'add passkey', 'authenticator', 'second factor', 'two factor', '2fa', 'mfa'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'What went down, and why?',
    answer:
      'Incidents lists what went down together, when and why. The Events button on the dashboard and on the page of a terminal shows the newest changes.',
    keywords: [
      'went down',
      'go down',
      'gone down',
      'went offline',
      'incidents',
      'outages',
      'history of outages',
      'last night yesterday today',
    ],
    link: { text: 'Open the incidents', page: '/incidents' },
    needs: 'session',
  },
  {
    question: 'Why is my internet slow?',
    answer:
      'Open the page of the terminal: its charts show speed, latency, lost packets and obstruction, and its head says how much data is left. You can also ask what is wrong with it, by its name.',
    keywords: ['slow internet', 'slow connection', 'slow speed'],
    link: { text: 'Open the dashboard', page: '/dashboard' },
    needs: 'session',
  },
  {
    question: 'How available were my terminals?',
    answer: 'Availability shows how long each terminal was up and down in a week, a month or any other period.',
    keywords: ['availability', 'uptime', 'sla', 'availability last this week month year'],
    link: { text: 'Open the availability', page: '/availability' },
    needs: 'session',
  },
  {
    question: 'Is maintenance planned?',
    answer: 'Maintenance lists what is planned, for which terminals, and until when.',
    keywords: ['planned maintenance', 'scheduled maintenance', 'upcoming maintenance'],
    link: { text: 'Open the maintenance', page: '/maintenance' },
    needs: 'session',
  },
  {
    question: 'How do I plan maintenance?',
    answer:
      'Open Maintenance and choose Plan maintenance. Nobody is notified about what goes down in that time, and availability leaves it out.',
    keywords: ['maintenance', 'set up maintenance window'],
    link: { text: 'Open the maintenance', page: '/maintenance' },
    needs: 'admin',
  },
  {
    question: 'Where do I find reports?',
    answer: 'Reports has the availability, incidents and data of each week or month, as a page, PDF and CSV.',
    keywords: ['reports', 'schedule report', 'monthly report', 'weekly report', 'send report by mail', 'pdf'],
    link: { text: 'Open the reports', page: '/reports' },
    needs: 'session',
  },
  {
    question: 'How do I get more data?',
    answer:
      'Contact Support to purchase more full speed data. On the page of a terminal, Automatic Top Up buys it when the data is used up.',
    keywords: ['top up', 'buy data', 'buy more data', 'purchase data', 'more gigabytes'],
    needs: 'session',
  },
  {
    question: 'How do I share a terminal?',
    answer:
      'Open the terminal, an incident or a report and choose Share. Whoever has the link sees it without signing in, until the link expires or is revoked.',
    keywords: ['share', 'share link', 'public link'],
    needs: 'admin',
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
    answer: 'Open the plan manager, choose Create New, and add the service lines that share the data.',
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
    keywords: [
      'editing log',
      'history of changes',
      'audit log',
      'changed limit',
      'changed pool',
      'changed name',
      'deleted user',
    ],
    link: { text: 'Open the editing log', page: '/editing-logs' },
    needs: 'admin',
  },
]

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
