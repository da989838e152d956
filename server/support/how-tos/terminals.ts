import type { HowTo } from './how-to.ts'

/** Terminals and their data. */
export const terminalHowTos: readonly HowTo[] = [
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
    question: 'How do I change the IP policy of a terminal?',
    answer: 'Open the terminal and choose default or public IP under IP Policy.',
    keywords: ['ip policy', 'public ip', 'static ip'],
    needs: 'terminal_control',
  },
  {
    question: 'How do I turn automatic top-up on or off?',
    answer: 'Open the terminal and choose opt in or opt out under Automatic Top Up.',
    keywords: ['opt out top up', 'opt in top up', 'automatic top up', 'stop top up'],
    needs: 'terminal_control',
  },
  {
    question: 'How do I melt snow on a dish?',
    answer:
      'Open the terminal, choose its tab under Devices, and set Snow Melt Mode. Auto heats when the dish finds snow.',
    keywords: ['snow melt', 'melt snow', 'heating', 'ice'],
    needs: 'terminal_control',
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
    question: 'How do I get more data?',
    answer:
      'Contact Support to purchase more full speed data. On the page of a terminal, Automatic Top Up buys it when the data is used up.',
    keywords: ['top up', 'buy data', 'buy more data', 'purchase data', 'more gigabytes'],
    needs: 'session',
  },
  {
    question: 'How do I see the history of a terminal?',
    answer:
      'Open the terminal: its charts reach back 60 days, and its events list what happened. To see all terminals at a moment in the past, choose Go back in time in the menu at your name.',
    keywords: ['history of terminal', 'charts', 'go back in time', 'past values'],
    link: { text: 'Open the dashboard', page: '/dashboard' },
    needs: 'session',
  },
  {
    question: 'Where is the map?',
    answer: 'The dashboard shows your terminals on a map beside the list. On a phone, choose Map.',
    keywords: ['map', 'see on map'],
    link: { text: 'Open the dashboard', page: '/dashboard' },
    needs: 'session',
  },
  {
    question: 'Where do I see a list of my terminals?',
    answer: 'The dashboard lists your terminals, and the terminal table shows all values of each in columns.',
    keywords: ['list of terminals', 'terminal table', 'all my terminals'],
    link: { text: 'Open the terminal table', page: '/terminaltable' },
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
    question: 'How do I share a terminal?',
    answer:
      'Open the terminal, an incident or a report and choose Share. Whoever has the link sees it without signing in, until the link expires or is revoked.',
    keywords: ['share', 'share link', 'public link'],
    needs: 'admin',
  },
  {
    question: 'How do I create a pool?',
    answer: 'Open the plan manager, choose Create New, and add the service lines that share the data.',
    keywords: ['new pool', 'create virtual plan'],
    link: { text: 'Open the plan manager', page: '/plan-manager' },
    needs: 'plan_manager',
  },
  {
    question: 'How do I edit a pool?',
    answer:
      'Open the plan manager and choose the pool: its limit, what happens at the limit, top-ups, and its service lines. A line is in one pool, so remove it from the other first.',
    keywords: [
      'edit pool',
      'add line to pool',
      'move line to another pool',
      'remove line from pool',
      'change limit of pool',
      'add top up to pool',
    ],
    link: { text: 'Open the plan manager', page: '/plan-manager' },
    needs: 'plan_manager',
  },
]
