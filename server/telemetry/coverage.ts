import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { FeedScope } from './dirty-buckets.ts'
import { formatUtcDay } from './partitions.ts'

interface Span {
  fromMs: number
  toMs: number
}

const DAY_MS = 86_400_000
const ROW_INTERVAL_MS = 15_000
// The vendor reports each device every 15 seconds, sometimes a little late.
const SLACK_MS = 15_000

/** Collects the times at which rows show that the feed was alive. */
export class LiveTimes {
  readonly #intervals = new Set<number>()
  #last = Number.NaN

  add(atMs: number) {
    const interval = Math.floor(atMs / ROW_INTERVAL_MS)
    if (interval === this.#last) return
    this.#last = interval
    this.#intervals.add(interval)
  }

  /** Spans that neither touch nor overlap. */
  spans(): Span[] {
    const spans: Span[] = []
    for (const interval of [...this.#intervals].sort((one, other) => one - other)) {
      const fromMs = interval * ROW_INTERVAL_MS - SLACK_MS
      const toMs = (interval + 1) * ROW_INTERVAL_MS + SLACK_MS
      const last = spans.at(-1)
      if (last && fromMs <= last.toMs) last.toMs = toMs
      else spans.push({ fromMs, toMs })
    }
    return spans
  }
}

const splitByDay = function* ({ fromMs, toMs }: Span): Generator<[day: string, Span]> {
  for (let from = fromMs; from < toMs; ) {
    const dayEndMs = (Math.floor(from / DAY_MS) + 1) * DAY_MS
    const to = Math.min(toMs, dayEndMs)
    yield [formatUtcDay(from), { fromMs: from, toMs: to }]
    from = to
  }
}

const formatRange = ({ fromMs, toMs }: Span) => `[${new Date(fromMs).toISOString()},${new Date(toMs).toISOString()})`

/** Adds spans in which the feed reported devices to its recorded coverage. */
export const recordCoverage = async (
  db: Db,
  { tenantId, credentialId }: FeedScope,
  spans: readonly Span[],
): Promise<void> => {
  const days = new Map<string, string[]>()
  for (const span of spans)
    for (const [day, part] of splitByDay(span)) days.set(day, [...(days.get(day) ?? []), formatRange(part)])
  for (const [day, ranges] of days)
    await sql`
      insert into feed_coverage as known (tenant_id, credential_id, day, observed)
      values (${tenantId}, ${credentialId}, ${day}::date, ${`{${ranges.join(',')}}`}::tstzmultirange)
      on conflict (tenant_id, credential_id, day) do update set observed = known.observed + excluded.observed
      where not known.observed @> excluded.observed`.execute(db)
}
