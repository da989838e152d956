import type { HowTo } from './how-to.ts'

/** The pages for administrators. */
export const administrationHowTos: readonly HowTo[] = [
  {
    question: 'How do I add a user?',
    answer: 'Open the admin page and choose Create User. The user gets an initial password and is asked to change it.',
    keywords: ['create user', 'new user', 'invite user'],
    link: { text: 'Open the admin page', page: '/admin-page' },
    needs: 'admin',
  },
  {
    question: 'How do I change a user?',
    answer:
      'Open the admin page and choose Edit beside the user: email, GroupID, name, company and role. Sessions and second factors can be ended and reset there too.',
    keywords: ['edit user', 'change role', 'change email of user', 'reset second factor of user', 'make user admin'],
    link: { text: 'Open the admin page', page: '/admin-page' },
    needs: 'admin',
  },
  {
    question: 'How do I delete a user?',
    answer: 'Open the admin page and choose Delete beside the user. All sessions of the user end at once.',
    keywords: ['delete user', 'remove user'],
    link: { text: 'Open the admin page', page: '/admin-page' },
    needs: 'admin',
  },
  {
    question: 'Where do I see the users?',
    answer:
      'The admin page lists all users with their role, their last sign-in, their sessions and whether they have a second factor.',
    keywords: ['how many users', 'list users', 'last sign-in of users', 'who signed in last', 'users signed in'],
    link: { text: 'Open the admin page', page: '/admin-page' },
    needs: 'admin',
  },
  {
    question: 'How do I send a message to users?',
    answer:
      'Open the admin page, choose Notify Users, choose the users, choose Notify Users again, and write the message.',
    keywords: ['notify users', 'message users', 'send mail to users', 'announce'],
    link: { text: 'Open the admin page', page: '/admin-page' },
    needs: 'admin',
  },
  {
    question: 'How do I allow a user more?',
    answer:
      'Access Control sets for each user who manages pools, renames terminals, sees metadata and controls terminals.',
    keywords: ['permissions', 'change permissions of user', 'feature access', 'access control', 'allow user'],
    link: { text: 'Open Access Control', page: '/access-control' },
    needs: 'admin',
  },
  {
    question: 'Who changed something?',
    answer: 'The editing log lists who changed what and when, and can be verified.',
    keywords: [
      'editing log',
      'history of changes',
      'audit log',
      'who changed limit',
      'who changed pool',
      'who changed name',
      'who deleted user',
    ],
    link: { text: 'Open the editing log', page: '/editing-logs' },
    needs: 'admin',
  },
  {
    question: 'Who tried to sign in?',
    answer: 'Security Events lists sign-ins, failed sign-ins, and changes of passwords, roles and second factors.',
    keywords: ['security events', 'failed sign-ins', 'failed logins'],
    link: { text: 'Open the security events', page: '/security-events' },
    needs: 'admin',
  },
  {
    question: 'Was a message delivered?',
    answer: 'Deliveries lists every email and text with its state, and can send one again.',
    keywords: ['deliveries', 'mail sent', 'email delivered', 'text delivered', 'messages sent'],
    link: { text: 'Open the deliveries', page: '/deliveries' },
    needs: 'admin',
  },
  {
    question: 'How do I set up single sign-on?',
    answer: 'Single Sign-On connects an OpenID Connect provider, with rules that decide who gets which role and group.',
    keywords: ['single sign-on', 'sso', 'openid connect', 'entra', 'okta'],
    link: { text: 'Open Single Sign-On', page: '/single-sign-on' },
    needs: 'admin',
  },
  {
    question: 'How do I set up a webhook?',
    answer: 'Webhooks sends events to programs, Slack or Teams. Choose Create Webhook there.',
    keywords: ['webhook', 'webhooks', 'slack', 'teams'],
    link: { text: 'Open the webhooks', page: '/webhooks' },
    needs: 'admin',
  },
  {
    question: 'How much do the plans cost?',
    answer: 'The executive dashboard shows the estimated price of each plan, and spend and data by month and customer.',
    keywords: ['spend', 'price of plans', 'cost of plans', 'estimated price', 'executive dashboard', 'spend by month'],
    link: { text: 'Open the executive dashboard', page: '/dev-dashboard' },
    needs: 'admin',
  },
  {
    question: 'How do I change the time zone?',
    answer:
      'Settings has the time zone and units, required second factors, the status page and how long data is retained.',
    keywords: ['time zone', 'units', 'settings', 'status page', 'retention'],
    link: { text: 'Open the settings', page: '/settings' },
    needs: 'admin',
  },
]
