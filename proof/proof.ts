import type { Figure } from './figure.ts'

/** Short forms run in `npm run test:full`: smaller counts, the same checks. */
export type Form = 'short' | 'full'

export interface ProofContext {
  form: Form
  /** Progress for the terminal; it decides nothing. */
  log: (message: string) => void
}

export interface Proof {
  name: string
  /** One sentence for the list and the published page. */
  about: string
  /** Without a result if what it needs is not there, which it logs; it then counts neither as passed nor as failed. */
  run: (context: ProofContext) => Promise<Figure[] | undefined>
}
