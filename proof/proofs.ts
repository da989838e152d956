import { isolation } from './isolation/isolation.ts'
import type { Proof } from './proof.ts'

/** In the order in which `all` runs them. */
export const proofs: Proof[] = [isolation]
