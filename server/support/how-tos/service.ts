import type { HowTo } from './how-to.ts'

/** What the words mean, and how to sign in: for everybody, visitors too. */
export const serviceHowTos: readonly HowTo[] = [
  {
    question: 'Hello',
    answer: 'Hello. Ask about your terminals, your data, or how something is done.',
    keywords: ['hi', 'hey', 'good morning', 'good evening'],
  },
  {
    question: 'Thank you',
    answer: 'You are welcome.',
    keywords: ['thanks', 'thank you very much', 'thanks a lot'],
  },
  {
    question: 'How do I sign in?',
    answer:
      'Choose Sign In at the top of the page and enter your email address and your password. If your account asks for a code, it is sent to your email.',
    keywords: ['sign in', 'log in', 'login', 'sign-in code', 'verification code', 'otp'],
  },
  {
    question: 'I forgot my password',
    answer:
      'Choose Forgot Password? on the sign-in page. A new password is sent to your email. It works once, within an hour, and you then choose your own.',
    keywords: ['forgot password', 'lost password', 'forgotten password'],
  },
  {
    question: 'I lost the device of my second factor',
    answer:
      'On the sign-in page, choose Use a recovery code after your password. Without one, ask an administrator to reset your second factors.',
    keywords: [
      'lost phone authenticator app sign in',
      'lost passkey',
      'lost authenticator',
      'new phone authenticator',
      'recovery code',
    ],
  },
  {
    question: 'How do I switch to dark mode?',
    answer: 'Choose the sun or moon at the top of the page, or Appearance in your profile.',
    keywords: ['dark mode', 'light mode', 'dark theme', 'change colors'],
  },
  {
    question: 'What does obstruction mean?',
    answer:
      'Something stands between the dish and the sky for part of the time: a tree, a mast, a roof. A few tenths of a percent do no harm; above one percent, calls and video may break up.',
    keywords: ['obstruction', 'obstructed'],
  },
  {
    question: 'What does latency mean?',
    answer: 'How long a small packet takes to the internet and back. Below 100 ms, calls and games work well.',
    keywords: ['latency', 'ping'],
  },
  {
    question: 'What does ping drop rate mean?',
    answer:
      'The share of test packets that were lost. Up to two percent is hardly noticed; above that, calls and video may break up.',
    keywords: ['ping drop rate', 'packet loss', 'lost packets'],
  },
  {
    question: 'What does signal quality mean?',
    answer: 'How well the dish receives the satellites. It should be near 100%; below 80%, the connection suffers.',
    keywords: ['signal quality', 'signal'],
  },
  {
    question: 'What does online mean?',
    answer: 'The terminal reports regularly and can reach the internet.',
    keywords: [],
  },
  {
    question: 'What does offline mean?',
    answer:
      'The terminal has stopped reporting. Its page shows since when and, if it is known, why. A loss of power is the most common cause.',
    keywords: [],
  },
  {
    question: 'What does No Data mean?',
    answer:
      'Nothing is known about the terminal at the moment: it has not reported, and the vendor does not say that it is offline.',
    keywords: [],
  },
  {
    question: 'What does disabled mean?',
    answer: 'The vendor has switched the service off. The alerts of the terminal say why.',
    keywords: [],
  },
  {
    question: 'What is priority data?',
    answer:
      'Data at full speed. It is limited: by the plan of the line, or by the pool that the line shares. Standard data is unlimited, but may be slower.',
    keywords: ['priority data', 'standard data', 'full speed data'],
  },
  {
    question: 'What happens when the data runs out?',
    answer:
      'Standard data remains: it is unlimited, but may be slower. With Automatic Top Up, the line buys more priority data instead. A pool does what its limit behavior says: opt its lines out of more priority data, only notify, or buy a bucket.',
    keywords: ['data runs out', 'run out of data', 'no data left', 'out of data', 'limit reached'],
  },
  {
    question: 'What is a pool?',
    answer: 'Several service lines that share priority data up to one limit.',
    keywords: ['pool mean', 'virtual plan'],
  },
  {
    question: 'How is data usage counted?',
    answer:
      'The vendor counts priority and standard data of each service line in UTC days. A pool counts the priority data of all its lines.',
    keywords: ['usage counted', 'data counted'],
  },
]
