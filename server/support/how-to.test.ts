import { expect, test } from 'vitest'
import { listHowTos } from './how-to.ts'
import { findFaqEntry } from './match-faq.ts'

const howTos = listHowTos({ isSignedIn: true, isAdmin: true, can: () => true })
const findPage = (question: string) => findFaqEntry(question, howTos)?.link?.page

test.for(howTos.map(({ question }) => question))('"%s" has its own answer', (question) => {
  expect(findFaqEntry(question, howTos)?.question).toBe(question)
})

test.for([
  ['Which terminals went down last night?', '/incidents'],
  ['What went down today?', '/incidents'],
  ['Where do I see incidents?', '/incidents'],
  ['Where do I see the availability of my terminals?', '/availability'],
  ['How do I schedule a report?', '/reports'],
  ['How do I set up a maintenance window?', '/maintenance'],
  ['Is there planned maintenance?', '/maintenance'],
  ['What was the availability last month?', '/availability'],
  ['How do I turn on SMS?', '/profile'],
  ['How do I add a passkey?', '/profile'],
  ['Why is my connection so slow?', '/dashboard'],
  ['How can I invite a new user?', '/admin-page'],
  ['How do I add a line to a pool?', '/plan-manager'],
  ['Who changed the limit of the pool?', '/editing-logs'],
])('"%s" leads to %s', ([question, page]) => {
  expect(findPage(question as string)).toBe(page)
})
