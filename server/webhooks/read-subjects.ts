import { sql } from 'kysely'
import type { Units } from '#contract/units.ts'
import type { WebhookData } from '#contract/webhook-events.ts'
import type { Db } from '../platform/database/database.ts'

/** The reader of a body. The transaction has the endpoint's group, so that row-level security hides other groups. */
export interface Reader {
  tenantId: string
  group: string | null
  /** If empty, not limited to some lines. */
  lineIds: readonly number[]
  /** The URL of the tenant's pages, if known. */
  pages: string | undefined
  timeZone: string
  units: Units
}

export const seesAll = ({ group, lineIds }: Reader) => group === null && lineIds.length === 0

type Terminal = WebhookData['terminal.status_changed']['terminal']
type Pool = WebhookData['pool.created']['pool']

interface TerminalRow {
  device_id: string | null
  kit_serial: string | null
  service_line_number: string | null
  nickname: string | null
  custom_name: string | null
  group_name: string | null
}

const toTerminal = (row: TerminalRow, { pages }: Reader): Terminal => {
  const page = row.nickname ?? row.kit_serial
  return {
    deviceId: row.device_id,
    kitNumber: row.kit_serial,
    serviceLine: row.service_line_number,
    nickname: row.nickname,
    name: row.custom_name ?? row.nickname ?? row.kit_serial ?? row.device_id ?? 'Terminal',
    group: row.group_name,
    link: pages && page ? `${pages}/terminal/${encodeURIComponent(page)}` : null,
  }
}

const columns = sql`terminal.device_id, terminal.kit_serial, line.service_line_number, line.nickname, line.custom_name,
  line.group_name`

/** Undefined if the endpoint may not see it, or it does not exist. */
export const findTerminal = async (db: Db, reader: Reader, terminalId: number): Promise<Terminal | undefined> => {
  const { tenantId, lineIds } = reader
  const { rows } = await sql<TerminalRow>`
    select ${columns} from terminals as terminal
    left join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where terminal.tenant_id = ${tenantId} and terminal.id = ${terminalId}
      and (${seesAll(reader)} or line.id is not null)
      and (${lineIds.length === 0} or line.id = any(${lineIds}::bigint[]))`.execute(db)
  return rows[0] && toTerminal(rows[0], reader)
}

/** A line, represented by its first terminal. */
export const findLine = async (db: Db, reader: Reader, lineId: number): Promise<Terminal | undefined> => {
  const { tenantId, lineIds } = reader
  if (lineIds.length > 0 && !lineIds.includes(lineId)) return undefined
  const { rows } = await sql<TerminalRow>`
    select ${columns} from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
    where line.tenant_id = ${tenantId} and line.id = ${lineId}
    order by terminal.id limit 1`.execute(db)
  return rows[0] && toTerminal(rows[0], reader)
}

/** A pool can have lines of several customers, so an endpoint for some lines receives nothing about pools. */
export const findPool = async (db: Db, { tenantId, lineIds, pages }: Reader, id: number): Promise<Pool | undefined> => {
  if (lineIds.length > 0) return undefined
  const row = await db
    .selectFrom('pools')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      id: String(row.id),
      name: row.name,
      group: row.group_name,
      usedGb: row.used_gb,
      limitGb: row.usage_limit_gb + row.top_up_gb,
      behavior: row.over_limit_behavior,
      cycleStart: row.cycle_start,
      cycleEnd: row.cycle_end,
      link: pages ? `${pages}/plan-manager` : null,
    }
  )
}
