import type { Figure } from './figure.ts'

/** Short forms run in `npm run test:full`: smaller counts, the same checks. */
export type Form = 'short' | 'full'

export interface ProofContext {
  form: Form
  /** Progress for the terminal only. */
  log: (message: string) => void
}

export interface Proof {
  name: string
  /** One sentence for the list and the published page. */
  about: string
  /**
   * Resolves to undefined if a requirement is missing, which it logs; it then counts neither as passed nor as failed.
   */
  run: (context: ProofContext) => Promise<Figure[] | undefined>
}
