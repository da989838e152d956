import type { DemoTenant } from './tenants.ts'

/** The FAQ of the demo tenants' assistant. */
export const demoFaq: NonNullable<DemoTenant['faq']> = [
  {
    question: 'How do I restart my terminal?',
    answer: 'Open the terminal’s page and choose Reboot. It is offline for about 2 to 5 minutes.',
    keywords: ['reboot', 'power cycle'],
  },
  {
    question: 'What does No Data mean?',
    answer:
      'The terminal has not reported for a while, and the vendor reports nothing else about it. It may be switched off, without power, or out of sight of the sky.',
    keywords: [],
  },
  {
    question: 'What does obstruction mean?',
    answer:
      'Something stands between the dish and the sky for part of the time: a tree, a mast, a roof. A few tenths of a percent are no trouble; above one percent calls and video may break up.',
    keywords: ['obstructed'],
  },
  {
    question: 'How is my data usage counted?',
    answer:
      'The vendor counts priority and standard data per service line and in UTC days, so the last hours of an evening in Alaska fall on the next day.',
    keywords: ['gigabytes', 'data allowance'],
  },
  {
    question: 'How do I change my password?',
    answer: 'Open Profile from the menu at your name and choose a new password there. Your other sessions end.',
    keywords: ['new password', 'reset password'],
  },
  {
    question: 'How do I melt snow on my dish?',
    answer: 'Set Snow Melt on the terminal’s page: Auto heats when snow is found, Always On keeps heating.',
    keywords: ['snow melt', 'ice', 'heating'],
  },
  {
    question: 'How do I get notifications when a terminal goes offline?',
    answer: 'In your profile, switch notifications on and choose the terminals you want notifications about.',
    keywords: ['notifications', 'alerts by email'],
  },
]
