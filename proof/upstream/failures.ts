import type { Scenario } from '#simulator/scenarios.ts'

export interface Failure {
  /** Also the reseller whose vendor it befalls. */
  name: string
  scenario?: Scenario
  /** From the first moment on, and not only during the bad hours. */
  isStanding?: boolean
  /** Telemetry ends with it. */
  isBlinding?: boolean
  /** What a user who asks for a reboot during the bad hours gets, and what becomes of it. */
  reboot?: { status: number; state: string }
  /** Takes longer to come back from than a short form has. */
  isOnlyInFull?: boolean
}

/** The same fleet and the same hours with a vendor that has a good day: what all others are compared with. */
export const TWIN = 'undisturbed'

export const failures: readonly Failure[] = [
  { name: TWIN },
  { name: 'stream-404', scenario: 'stream-404', isBlinding: true },
  {
    ...{ name: 'no-tokens', scenario: 'no-tokens', isBlinding: true },
    reboot: { status: 503, state: 'refused' },
  },
  {
    ...{ name: 'all-failing', scenario: 'all-failing', isBlinding: true },
    reboot: { status: 503, state: 'refused' },
  },
  {
    ...{ name: 'rate-limited', scenario: 'rate-limited', isBlinding: true },
    reboot: { status: 503, state: 'refused' },
  },
  { name: 'hanging', scenario: 'hanging', isBlinding: true, isOnlyInFull: true },
  { name: 'telemetry-late', scenario: 'telemetry-late' },
  { name: 'unstable-paging', scenario: 'unstable-paging', isStanding: true },
  { name: 'malformed-rows', scenario: 'malformed-rows', isStanding: true },
  { name: 'unknown-columns', scenario: 'unknown-columns', isStanding: true },
  { name: 'terminals-drop-out', scenario: 'terminals-drop-out', isStanding: true },
  { name: 'commands-dropped', scenario: 'commands-dropped', reboot: { status: 200, state: 'not confirmed' } },
  { name: 'commands-obeyed', reboot: { status: 200, state: 'seen' } },
]
