import type { Faq } from '../../tenants/configuration.ts'

export const faq: Faq = [
  {
    question: 'How do I restart my terminal?',
    answer: 'Press Reboot on its page.',
    keywords: ['reboot', 'How can I reboot my dish?', 'power cycle'],
  },
  { question: 'What does obstruction mean?', answer: 'Something stands between dish and sky.', keywords: [] },
  { question: 'How is my data usage counted?', answer: 'By the vendor, in UTC days.', keywords: ['gigabytes'] },
  { question: 'How do I change my password?', answer: 'In your profile.', keywords: [] },
  { question: 'How do I change my phone number?', answer: 'In your profile, under SMS.', keywords: [] },
]
