/** Failures that really happened at the vendor, to be switched on while the simulator runs. */
export const SCENARIOS = {
  'stream-404': 'POST /telemetry/stream answers 404',
  'no-tokens': 'no token is minted; tokens already given stay good',
  'all-failing': 'every call fails with 500',
  'telemetry-late': 'telemetry arrives 30 minutes late, nothing is lost',
  'unstable-paging': 'the order of pages changes between requests',
  'commands-dropped': 'commands are accepted and silently not carried out',
  hanging: 'every call is taken and never answered',
  'rate-limited': 'every call answers 429',
  'malformed-rows': 'telemetry holds rows that cannot be read, beside all the good ones',
  'unknown-columns': 'telemetry holds a column and a device type nobody has heard of',
  'terminals-drop-out': 'in every 45 seconds a fifth of the terminals is missing from telemetry',
} as const

export type Scenario = keyof typeof SCENARIOS

export const isScenario = (name: unknown): name is Scenario =>
  typeof name === 'string' && Object.hasOwn(SCENARIOS, name)

export const LATE_MS = 30 * 60_000
