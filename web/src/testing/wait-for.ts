import { vi } from 'vitest'

/** Generous, for a busy machine. */
export const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000 })
