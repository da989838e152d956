import { expect, test } from 'vitest'
import type { Faq } from '../tenants/configuration.ts'
import { findFaqEntry } from './match-faq.ts'
import { faq } from './testing/faq.ts'

const findFaqAnswer = (question: string, entries: Faq) => findFaqEntry(question, entries)?.answer

test('finds the answer of the only matching entry, also for other forms and synonyms', () => {
  for (const question of [
    'How do I restart my terminal?',
    'how to restart terminals',
    'reboot',
    'How can I reboot my dish?',
    'Restarting the terminal',
  ])
    expect(findFaqAnswer(question, faq)).toBe('Press Reboot on its page.')
  expect(findFaqAnswer('what does OBSTRUCTION mean', faq)).toBe('Something stands between dish and sky.')
})

test('finds no answer when no entry or two entries match', () => {
  for (const question of ['How do I cook rice?', 'change', 'the', 'Can I restart my contract in another country?', ''])
    expect(findFaqAnswer(question, faq)).toBeUndefined()
  expect(findFaqAnswer('How do I change my password and phone number?', faq)).toBeUndefined()
  const twins = ['line', 'line name'].map((what) => ({
    question: `Rename ${what}`,
    answer: what,
    keywords: ['rename'],
  }))
  expect(findFaqAnswer('rename', twins)).toBeUndefined()
})
