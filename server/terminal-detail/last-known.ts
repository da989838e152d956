import { type MeasureName, measures } from '#contract/measures.ts'
import type { Read } from '../platform/database/database.ts'

/** A terminal with the values of its newest sample. */
interface NewestSample extends Record<MeasureName, number | null> {
  id: number
  /** Null before the first sample. */
  at: Date | string | null
}

export interface LastKnown {
  value: number
  at: Date
}

// Samples are retained for two days, and the tier for a month.
const TIER = 'tier_15min'

/** The newest value of each measure whose position is in $3, in the order of `measures`. */
const TEXT = measures
  .map(
    ({ name, sampleColumn, tierColumn }, place) => `
    (select '${name}' as name, value, at from (
      (select ${sampleColumn} as value, at from samples
       where tenant_id = $1 and terminal_id = $2 and ${sampleColumn} is not null and ${place} = any($3::int[])
       order by at desc limit 1)
      union all
      (select ${tierColumn}_last, at from ${TIER}
       where tenant_id = $1 and terminal_id = $2 and ${tierColumn}_last is not null and ${place} = any($3::int[])
       order by at desc limit 1)
    ) as known order by at desc limit 1)`,
  )
  .join('\n    union all')

/**
 * The last known values of the measures that the newest sample of a terminal lacks: after all pings were lost, it has no
 * latency. Most terminals lack none, and nothing is read.
 */
export const readLastKnown = async (
  read: Read,
  tenantId: string,
  terminal: NewestSample,
): Promise<Map<MeasureName, LastKnown>> => {
  const missing = measures.flatMap(({ name }, place) => (terminal[name] === null ? [place] : []))
  if (terminal.at === null || missing.length === 0) return new Map()
  const rows = await read<{ name: MeasureName; value: number; at: Date }>({
    name: 'last-known',
    text: TEXT,
    values: [tenantId, terminal.id, missing],
  })
  return new Map(rows.map(({ name, value, at }) => [name, { value, at }]))
}
