import type { Scenario } from '#simulator/scenarios.ts'

export interface Failure {
  /** Also the id of the reseller whose vendor has it. */
  name: string
  scenario?: Scenario
  /** Lasts from the start on, not only for three hours. */
  isStanding?: boolean
  /** No telemetry arrives during it. */
  isBlinding?: boolean
  /** The response to a reboot during the failure, and the state it ends in. */
  reboot?: { status: number; state: string }
  /** Recovery takes longer than a short form allows. */
  isOnlyInFull?: boolean
}

/** The same fleet and the same hours without a failure, for comparison. */
export const TWIN = 'undisturbed'

export const failures: readonly Failure[] = [
  { name: TWIN },
  { name: 'stream-404', scenario: 'stream-404', isBlinding: true },
  {
    name: 'no-tokens',
    scenario: 'no-tokens',
    isBlinding: true,
    reboot: { status: 503, state: 'refused' },
  },
  {
    name: 'all-failing',
    scenario: 'all-failing',
    isBlinding: true,
    reboot: { status: 503, state: 'refused' },
  },
  {
    name: 'rate-limited',
    scenario: 'rate-limited',
    isBlinding: true,
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
