import type { HowTo } from './how-to.ts'

/** The user’s own account. */
export const accountHowTos: readonly HowTo[] = [
  {
    question: 'How do I change my password?',
    answer: 'Open your profile and enter your current and your new password. Your other sessions end.',
    keywords: ['reset password', 'new password'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'How do I change my name or company?',
    answer:
      'In your profile, under Account, change it and choose Edit your profile. Only an administrator can change your email address.',
    keywords: ['change my name', 'change my company', 'change my email address', 'edit profile'],
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
    keywords: ['sms', 'texts', 'change my phone number'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'How do I stop notifications?',
    answer:
      'In your profile, under Notifications, switch off Email or SMS, or what you do not want to hear about. A text also stops when you reply STOP.',
    keywords: [
      'stop email notifications',
      'turn off notifications',
      'turn off email notifications',
      'stop text messages',
      'switch off sms',
      'unsubscribe',
      'stop mails',
    ],
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
    question: 'Which sessions do I have?',
    answer: 'Your profile lists your sessions under Security, and can sign you out everywhere else.',
    keywords: ['sign out everywhere', 'end sessions', 'my sessions', 'recent activity'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
  {
    question: 'How do I get an API token?',
    answer: 'In your profile, under Security, choose Create Token. It is shown once.',
    keywords: ['api token', 'create api token', 'api key', 'use api'],
    link: { text: 'Open your profile', page: '/profile' },
    needs: 'session',
  },
]
