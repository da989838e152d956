/** Failures that the vendor has had. They can be toggled while the simulator runs. */
export const SCENARIOS = {
  'stream-404': 'POST /telemetry/stream returns 404',
  'no-tokens': 'no token is issued; issued tokens stay valid',
  'all-failing': 'every call fails with 500',
  'telemetry-late': 'telemetry arrives 30 minutes late, nothing is lost',
  'unstable-paging': 'the order of pages changes between requests',
  'empty-lists': 'the lists of service lines and terminals are empty',
  'commands-dropped': 'commands are accepted and silently not executed',
  hanging: 'every call is accepted and never gets a response',
  'rate-limited': 'every call returns 429',
  'malformed-rows': 'telemetry contains unreadable rows in addition to all good ones',
  'unknown-columns': 'telemetry contains an unknown column and an unknown device type',
  'terminals-drop-out': 'a fifth of the terminals is missing from telemetry, a different fifth every 45 seconds',
} as const

export type Scenario = keyof typeof SCENARIOS

export const isScenario = (name: unknown): name is Scenario =>
  typeof name === 'string' && Object.hasOwn(SCENARIOS, name)

export const LATE_MS = 30 * 60_000
