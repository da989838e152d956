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
  ['How do I change the limit of a pool?', '/plan-manager'],
  ['How do I move a line to another pool?', '/plan-manager'],
  ['What happened last night?', '/incidents'],
  ['show me open incidents', '/incidents'],
  ['Which terminals will fail soon?', '/incidents'],
  ['How do I stop getting text messages?', '/profile'],
  ['How do I turn off email notifications?', '/profile'],
  ['How do I change my email address?', '/profile'],
  ['How do I create an API token?', '/profile'],
  ['How do I see the history of a terminal?', '/dashboard'],
  ['How can I see the map?', '/dashboard'],
  ['How do I delete a user?', '/admin-page'],
  ['How many users do we have?', '/admin-page'],
  ['Who signed in last?', '/admin-page'],
  ['How do I set up single sign-on?', '/single-sign-on'],
  ['How do I set up a webhook?', '/webhooks'],
  ['How do I change the permissions of a user?', '/access-control'],
  ['Was the email delivered?', '/deliveries'],
  ['Where do I change the time zone?', '/settings'],
])('"%s" leads to %s', ([question, page]) => {
  expect(findPage(question as string)).toBe(page)
})

test.for([
  ['Can I get a public IP?', 'How do I change the IP policy of a terminal?'],
  ['How do I opt out of top up?', 'How do I turn automatic top-up on or off?'],
  ['What happens when my data runs out?', 'What happens when the data runs out?'],
  ['I lost my phone with the authenticator, how do I sign in?', 'I lost the device of my second factor'],
  ['How do I get a code for sign in?', 'How do I sign in?'],
])('"%s" is answered like "%s"', ([question, entry]) => {
  expect(findFaqEntry(question as string, howTos)?.question).toBe(entry)
})
