/** Figures of a proof: one that counts the attempts, and those that state the results. */
interface ProofEvidence {
  proof: string
  /** Parts of their names; the rest may depend on the run. */
  attempts: string
  results: readonly string[]
}

export interface Hardening {
  what: string
  tried: string
  proofs?: readonly ProofEvidence[]
  /** Test files that `npm run proof -- tests` runs and counts. */
  tests?: readonly string[]
  /** Where else it is measured. */
  elsewhere?: string
}

/**
 * The findings of an attack on a running instance, in the order of its report, and the evidence that each
 * attack fails.
 */
export const hardening: readonly Hardening[] = [
  {
    what: 'a few bytes cost much',
    tried: 'the most expensive input of every call, compressed bodies, bodies that are too large',
    proofs: [
      {
        proof: 'cost',
        attempts: 'requests',
        results: ['compressed bodies that were not refused', 'the most expensive of'],
      },
    ],
    tests: ['server/platform/http/request-body.test.ts', 'server/platform/http/slow-clients.slow.test.ts'],
  },
  {
    what: 'rights are checked at the end too',
    tried: 'every writing call, stopped at each transaction, while its sender loses the right to it',
    proofs: [{ proof: 'races', attempts: 'races of a call', results: ['races in which something was written'] }],
    tests: ['server/process/rights-races.slow.test.ts'],
  },
  {
    what: 'tenants do not starve each other',
    tried: 'wrong sign-ins at one tenant, sign-ins at another',
    proofs: [
      {
        proof: 'fairness',
        attempts: 'wrong sign-ins a second',
        results: ['answered with 503', 'sign-in at the other tenant, against'],
      },
    ],
    tests: ['server/identity/hash-queue.test.ts'],
  },
  {
    what: 'nobody locks out a stranger',
    tried: 'guesses from one network and from many, then the right password',
    tests: ['server/identity/rate-limits.test.ts', 'server/identity/sign-in-flood.test.ts'],
  },
  {
    what: 'codes belong to who knew the password',
    tried: 'wrong codes from elsewhere, and two right ones at once',
    tests: ['server/identity/codes.test.ts', 'server/platform/database/errors.test.ts'],
  },
  {
    what: 'the editing log cannot be rewritten',
    tried: 'removing, changing, reordering and adding entries as the owner of the database; altered exports',
    tests: ['server/audit/attacks.test.ts', 'server/audit/audit.test.ts', 'cli/audit.test.ts'],
  },
  {
    what: 'sign-ins and changes are recorded',
    tried: 'every kind of event, floods of failures, a log that is away',
    tests: [
      'server/security-events/events.test.ts',
      'server/security-events/record.test.ts',
      'server/security-events/deliver.test.ts',
      'server/platform/http/request-log.test.ts',
    ],
  },
  {
    what: 'sensitive changes ask again',
    tried: 'each of them without the password, numbers without consent or code, texts over the budget',
    tests: [
      'server/identity/sensitive-changes.test.ts',
      'server/profile/audit-mail.test.ts',
      'server/profile/verify-phone.test.ts',
      'server/messages/sms-budget.test.ts',
    ],
  },
  {
    what: 'personal data can be exported and erased',
    tried: 'people who did everything that users can do; every column of every table is read afterward',
    tests: ['server/personal-data/export.test.ts', 'server/personal-data/erase.test.ts'],
  },
  {
    what: 'secrets, headers, passwords',
    tried: 'every call before the password is changed, secrets at rest, old keys, common and used passwords',
    tests: [
      'server/process/access-walk.test.ts',
      'server/process/response-headers.test.ts',
      'server/messages/sealed-messages.test.ts',
      'server/identity/change-password.test.ts',
      'cli/rotate-key.slow.test.ts',
    ],
  },
  {
    what: 'overload stays polite',
    tried: 'more requests than the machine can answer',
    proofs: [{ proof: 'load', attempts: 'refused with 429 or 503', results: ['other responses, or none'] }],
    tests: ['server/platform/http/load-shedding.test.ts'],
  },
  {
    what: 'memory is bounded',
    tried: 'the demo with 10,000 and 100,000 terminals',
    elsewhere: '`npm run bench -- memory`, in [figures](figures.md)',
  },
]

export const hardeningTests = [...new Set(hardening.flatMap(({ tests = [] }) => tests))]
