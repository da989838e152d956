import type { HowTo } from './how-to.ts'

/** What went down, what is planned, and reports. */
export const operationHowTos: readonly HowTo[] = [
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
      'open incidents',
      'what happened',
      'recent',
      'history of outages',
      'last night yesterday today',
    ],
    link: { text: 'Open the incidents', page: '/incidents' },
    needs: 'session',
  },
  {
    question: 'Which terminals may fail soon?',
    answer:
      'Incidents also lists early warnings: obstruction that grows, a mast that leans, and other signs of a failure.',
    keywords: ['early warnings', 'terminals fail soon', 'fail next', 'warnings'],
    link: { text: 'Open the incidents', page: '/incidents' },
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
    question: 'How much data did we use in another month?',
    answer: 'Reports has the data of each week and month, and the page of a terminal shows each day.',
    keywords: [
      'data used last month',
      'data used yesterday',
      'data used last week',
      'use of data last month',
      'daily usage',
    ],
    link: { text: 'Open the reports', page: '/reports' },
    needs: 'session',
  },
]
