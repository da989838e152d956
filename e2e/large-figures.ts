/** The largest figures that the vendor, or a fleet of 100,000 terminals, may cause, by their fields in responses. */
const largest: Record<string, number> = {
  downlink: 1_234.56,
  uplink: 345.67,
  latency: 1_999.99,
  pingdrop: 1,
  signal_quality: 1,
  obstruction: 1,
  clients: 254,
  uptime: 86_399,
  wifi_uptime_S: 400 * 86_400 - 1,
  attempts: 1_000,
  durationMs: 30_000,
  // A link of a gigabit for a month, and the highest limit of a pool.
  priority_GB: 123_456.78,
  standard_GB: 123_456.78,
  usage_limit_GB: 10_000,
  priorityGB: 10_234.56,
  standardGB: 10_234.56,
  consumedAmountGB: 12_345.67,
  totalAmountGB: 10_000_000,
  gb: 123_456.78,
  pool_current_usage: 12_345_678.9,
  pool_usage_limit: 10_000_000,
  usage_limit: 10_000_000,
  virtualPoolUsage: 2_345_678.9,
  virtualPoolUsageLimit: 10_000_000,
  lines: 100_000,
  current_usage: 12_345_678.9,
  total_limit: 10_000_000,
  used_GB: 1_234_567.89,
  limit_GB: 10_000_000,
  expected_GB: 12_345_678.9,
  low_GB: 11_234_567.8,
  high_GB: 13_456_789.1,
  bucket_GB: 50_000,
  total_usage: 123_456.78,
  last_month_usage: 123_456.78,
  last_month_to_date: 23_456.78,
  price_usd: 1_234_567.89,
  data_GB: 12_345_678.9,
  compared_GB: 12_345_678.9,
  before_GB: 8_765_432.1,
  unpriced_lines: 100_000,
  usedGb: 12_345_678.9,
  previousGb: 12_345_678.9,
  cycleUsedGb: 1_234_567.89,
  limitGb: 10_000_000,
  // A year of 100,000 terminals, and the longest form of a shorter time.
  upS: 36_499_999 * 86_400,
  downS: 999 * 86_400 + 86_399,
  plannedS: 86_399,
  notObservedS: 12_345 * 86_400,
  longestS: 364 * 86_400 + 86_399,
  meanRepairS: 86_399,
  meanBetweenS: 364 * 86_400 + 86_399,
  percent: 99.999,
  previousPercent: 99.999,
  target: 99.95,
  outages: 123_456,
  terminals: 100_000,
  terminalCount: 100_000,
  observed: 100_000,
  back: 99_999,
  lostPower: 99_998,
  openCount: 12_345,
  warningCount: 12_345,
  incidentCount: 12_345,
  radiusKm: 19_999,
  offline: 10_000,
  counts: 1_234_567,
  texts: 100_000,
  budget: 100_000,
  waiting: 100_000,
  opened: 100_000,
  count: 100_000,
  activeSessions: 100,
  emails: 100_000,
}

/** The figures from 10,000 on as digits only, which nobody reads. */
export const bareFigures = Object.values(largest)
  .filter((figure) => figure >= 10_000)
  .map(String)

/** Their size is that of the field around them. */
const inherited = new Set(['min', 'max', 'last', 'queued', 'sending', 'sent', 'failed', 'unknown'])

/** A response in which every figure is as large as it can be. */
export const enlarge = (value: unknown, key = ''): unknown => {
  // Written as JSON text on the wire.
  if (key === 'data_blocks' && typeof value === 'string') return JSON.stringify(enlarge(JSON.parse(value)))
  if (Array.isArray(value)) return value.map((item) => enlarge(item, key))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, enlarge(inner, inherited.has(name) ? key : name)]),
    )
  return typeof value === 'number' ? (largest[key] ?? value) : value
}
