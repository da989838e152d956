import { setHashing } from '../identity/passwords.ts'

/** The queue never rejects, and a hash takes almost no time. Tests add and sign in thousands of users. */
export const setTestHashing = () =>
  setHashing(
    { maxWaiting: Number.POSITIVE_INFINITY, maxWaitMs: Number.POSITIVE_INFINITY },
    { memoryCost: 8, timeCost: 1, parallelism: 1 },
  )
