import type { Form } from './proof.ts'

const BUSY_MACHINE_MS = 90_000

/** Short forms run beside other work on a machine of which nothing is known: there a time only shows that it ended. */
export const limitIn = (form: Form) => (ms: number) => (form === 'full' ? ms : Math.max(ms, BUSY_MACHINE_MS))
