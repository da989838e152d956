import { sql } from 'kysely'
import type { UserTerminal } from '#starlink/wire.ts'
import type { Db } from '../platform/database/database.ts'
import { refreshStatistics } from '../platform/database/refresh-statistics.ts'

interface Inventory {
  tenantId: string
  credentialId: number
  /** A page of the list, each terminal once. */
  terminals: readonly UserTerminal[]
}

/** Stores a page of the vendor's terminals, matched by device id. Returns the ids of the lines that changed. */
export const storeTerminals = async (db: Db, inventory: Inventory): Promise<number[]> => {
  const { tenantId, credentialId, terminals } = inventory
  const rows = terminals.map((terminal) => ({
    device_id: terminal.userTerminalId,
    kit_serial: terminal.kitSerialNumber,
    dish_serial: terminal.dishSerialNumber,
    service_line_number: terminal.serviceLineNumber,
  }))
  const { rows: moved } = await sql<{ before: number | null; after: number | null }>`
    with changed as materialized (
      select listed.*, line.id as service_line_id, known.service_line_id as before
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as listed (
        device_id text, kit_serial text, dish_serial text, service_line_number text)
      left join lateral (
        select id from service_lines
        where tenant_id = ${tenantId} and service_line_number = listed.service_line_number
        limit 1) as line on true
      left join lateral (
        select * from terminals where tenant_id = ${tenantId} and device_id = listed.device_id limit 1) as known on true
      where known.id is null
        or (known.credential_id, known.service_line_id, known.kit_serial, known.dish_serial, known.removed_at)
          is distinct from (${credentialId}, line.id, listed.kit_serial, listed.dish_serial, null)
    ), stored as (
      insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial, dish_serial)
      select ${tenantId}, ${credentialId}::bigint, service_line_id, device_id, kit_serial, dish_serial from changed
      order by device_id
      on conflict (tenant_id, device_id) do update set
        credential_id = excluded.credential_id, service_line_id = excluded.service_line_id,
        kit_serial = excluded.kit_serial, dish_serial = excluded.dish_serial, removed_at = null)
    select before, service_line_id as after from changed`.execute(db)
  await refreshStatistics(db, { terminals: moved.length, fact_versions: moved.length })
  return moved.flatMap(({ before, after }) => [before, after].filter((id) => id !== null))
}

// The stream includes the prefix, the inventory may omit it.
const streamRouterId = (routerId: string) => (routerId.startsWith('Router-') ? routerId : `Router-${routerId}`)

/** Stores the routers of a page of terminals that are already stored. Returns the ids that were listed. */
export const storeRouters = async (db: Db, { tenantId, terminals }: Inventory): Promise<string[]> => {
  const rows = new Map(
    terminals.flatMap((terminal) =>
      terminal.routers.map(({ routerId }) => [streamRouterId(routerId), terminal.userTerminalId] as const),
    ),
  )
  const listed = [...rows].map(([router_id, device_id]) => ({ router_id, device_id }))
  const { numAffectedRows = 0n } = await sql`
    insert into routers (tenant_id, terminal_id, router_id)
    select ${tenantId}, terminal.id, listed.router_id
    from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as listed (router_id text, device_id text)
    cross join lateral (
      select id from terminals where tenant_id = ${tenantId} and device_id = listed.device_id limit 1) as terminal
    left join lateral (
      select * from routers where tenant_id = ${tenantId} and router_id = listed.router_id limit 1) as known on true
    where known.id is null or (known.terminal_id, known.removed_at) is distinct from (terminal.id, null)
    order by listed.router_id
    on conflict (tenant_id, router_id) do update set terminal_id = excluded.terminal_id, removed_at = null`.execute(db)
  await refreshStatistics(db, { routers: Number(numAffectedRows) })
  return [...rows.keys()]
}
