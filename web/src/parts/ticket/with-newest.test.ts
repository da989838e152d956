import { expect, test } from 'vitest'
import { withNewest } from './with-newest.ts'

const exchanges = ['first', 'second', 'third'].map((question) => ({ question, answer: '漢'.repeat(100) }))
const ticket = { name: 'N', message: 'Help' }

test('a visitor sends the newest exchanges that fit, and the ticket in any case', () => {
  const list = (maxBytes: number) => withNewest(ticket, exchanges, maxBytes).conversation?.map((each) => each.question)
  expect(list(10_000)).toEqual(['first', 'second', 'third'])
  expect(list(800)).toEqual(['second', 'third'])
  expect(list(450)).toEqual(['third'])
  expect(list(10)).toEqual([])
  expect(withNewest(ticket, [], 10)).toEqual({ ...ticket, conversation: [] })
})
