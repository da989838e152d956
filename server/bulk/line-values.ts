import { sql } from 'kysely'
import type { AuditAction } from '#contract/audit-sentences.ts'
import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'
import type { JsonObject } from '../platform/database/schema.ts'

export interface Performer {
  tenantId: string
  userId: number
  user: { email: string; role: Role; group: string }
  now: Date
}

export interface LineChange {
  lineId: number
  before: string | null
  desired: string | null
}

/** A property of lines that a bulk change sets. */
export interface LineValues {
  read: (
    db: Db,
    owner: Pick<Performer, 'tenantId' | 'userId'>,
    lineIds: readonly number[],
  ) => Promise<ReadonlyMap<number, string | null>>
  /** The names of values that are ids. Those that the user may not see have none. */
  readNames?: (db: Db, tenantId: string, values: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Throws if the user may not see the new value. */
  requireSeen?: (db: Db, tenantId: string, value: string) => Promise<void>
  /** Why a line cannot be changed. */
  findProblem?: (change: Omit<LineChange, 'lineId'>) => string | undefined
  /** Changes locked lines. Returns the problems of those that could not change, by line. */
  write: (db: Db, performer: Performer, changes: readonly LineChange[]) => Promise<ReadonlyMap<number, string>>
  /** The action of each line's entry in the editing log. */
  action: AuditAction
  describe: (value: string | null) => JsonObject
}

const ANOTHER = 'another'

/** Returns a function that formats values for the user. */
export const createNaming = async (
  db: Db,
  tenantId: string,
  lineValues: LineValues | undefined,
  values: readonly (string | null)[],
) => {
  if (!lineValues?.readNames) return (value: string | null) => value
  const names = await lineValues.readNames(db, tenantId, [...new Set(values.filter((value) => value !== null))])
  return (value: string | null) => (value === null ? null : (names.get(value) ?? ANOTHER))
}

interface SeenLine {
  id: number
  number: string
  name: string
  terminals: number
}

/** The lines visible to the transaction, by id; optionally locked until it ends. */
export const readLines = async (db: Db, tenantId: string, lineIds: readonly number[], locked = false) => {
  const { rows } = await sql<SeenLine>`
    select line.id, line.service_line_number as number, coalesce(line.custom_name, line.nickname) as name,
      (select count(*)::integer from terminals where terminals.tenant_id = line.tenant_id
        and terminals.service_line_id = line.id and terminals.removed_at is null) as terminals
    from service_lines as line
    where line.tenant_id = ${tenantId} and line.id = any(${lineIds}::bigint[]) and line.removed_at is null
    ${locked ? sql`order by line.id for no key update of line` : sql``}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
