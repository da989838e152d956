import { isolation } from './isolation/isolation.ts'
import { load } from './load/load.ts'
import type { Proof } from './proof.ts'
import { upstream } from './upstream/upstream.ts'

/** In the order in which `all` runs them. */
export const proofs: Proof[] = [isolation, upstream, load]
