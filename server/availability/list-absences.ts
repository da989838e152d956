import { type RawBuilder, sql } from 'kysely'
import { mergeSpans, type Span } from '../maintenance/occurrences.ts'
import type { Db } from '../platform/database/database.ts'

interface AbsenceRow {
  id: number
  removed_at: Date
  returned_at: Date
}

/** When lines or terminals that have returned to their account were removed from it. */
const listKind = async (
  db: Db,
  tenantId: string,
  { fromMs, toMs }: Span,
  kind: 'line' | 'terminal',
  isListed: RawBuilder<unknown>,
) => {
  const { rows } = await sql<AbsenceRow>`
    select version.subject_id as id, (version.facts ->> 'removed_at')::timestamptz as removed_at,
      returned.known_at as returned_at
    from fact_versions as version
    cross join lateral (
      select known_at from fact_versions as later
      where later.tenant_id = version.tenant_id and later.kind = version.kind and later.subject_id = version.subject_id
        and later.known_at > version.known_at and later.facts ->> 'removed_at' is null
      order by later.known_at
      limit 1
    ) as returned
    where version.tenant_id = ${tenantId} and version.kind = ${sql.lit(kind)} and ${isListed}
      and version.known_at < ${new Date(toMs)} and version.facts ->> 'removed_at' is not null
      and returned.known_at > ${new Date(fromMs)}`.execute(db)
  return Map.groupBy(rows, ({ id }) => id)
}

const toSpan = ({ removed_at, returned_at }: AbsenceRow): Span => ({
  fromMs: removed_at.getTime(),
  toMs: returned_at.getTime(),
})

/** The absences of terminals and their lines that overlap a period. Their status of that time says nothing. */
export const listAbsences = async (
  db: Db,
  tenantId: string,
  period: Span,
  terminals: readonly { id: number; line_id: number }[] | 'all',
) => {
  const isListed = (ids: (each: { id: number; line_id: number }) => number) =>
    terminals === 'all' ? sql`true` : sql`version.subject_id = any(${terminals.map(ids)}::bigint[])`
  const byTerminal = await listKind(
    db,
    tenantId,
    period,
    'terminal',
    isListed(({ id }) => id),
  )
  const byLine = await listKind(
    db,
    tenantId,
    period,
    'line',
    isListed(({ line_id }) => line_id),
  )
  const none: readonly Span[] = []
  return {
    /** Sorted and without overlaps. */
    find: (terminalId: number, lineId: number): readonly Span[] => {
      const rows = [...(byTerminal.get(terminalId) ?? []), ...(byLine.get(lineId) ?? [])]
      return rows.length === 0 ? none : mergeSpans(rows.map(toSpan))
    },
  }
}
