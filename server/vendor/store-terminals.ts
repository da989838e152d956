import { sql } from 'kysely'
import type { UserTerminal } from '#starlink/wire.ts'
import type { Db } from '../platform/database/database.ts'

interface Inventory {
  tenantId: string
  credentialId: number
  terminals: readonly UserTerminal[]
  complete: boolean
}

interface Moved {
  before: number | null
  after: number | null
}

/** Stores the vendor's terminals, matched by device id. Returns the ids of the lines that changed. */
export const storeTerminals = async (db: Db, inventory: Inventory): Promise<number[]> => {
  const { tenantId, credentialId, terminals, complete } = inventory
  const rows = terminals.map((terminal) => ({
    device_id: terminal.userTerminalId,
    kit_serial: terminal.kitSerialNumber,
    dish_serial: terminal.dishSerialNumber,
    service_line_number: terminal.serviceLineNumber,
  }))
  const listed = sql`(
    select listed.*, service_lines.id as service_line_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as listed (
      device_id text, kit_serial text, dish_serial text, service_line_number text)
    left join service_lines on service_lines.tenant_id = ${tenantId}
      and service_lines.service_line_number = listed.service_line_number
  ) as listed`

  const updated = await sql<Moved>`
    update terminals as known set
      credential_id = ${credentialId}, service_line_id = listed.service_line_id, kit_serial = listed.kit_serial,
      dish_serial = listed.dish_serial, removed_at = null
    from ${listed}, terminals as old
    where known.tenant_id = ${tenantId} and known.device_id = listed.device_id
      and old.tenant_id = known.tenant_id and old.id = known.id
      and (known.credential_id, known.service_line_id, known.kit_serial, known.dish_serial, known.removed_at)
        is distinct from (${credentialId}, listed.service_line_id, listed.kit_serial, listed.dish_serial, null)
    returning old.service_line_id as before, known.service_line_id as after`.execute(db)
  const inserted = await sql<Moved>`
    insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial, dish_serial)
    select ${tenantId}, ${credentialId}, listed.service_line_id, listed.device_id, listed.kit_serial, listed.dish_serial
    from ${listed}
    where not exists (
      select from terminals as known where known.tenant_id = ${tenantId} and known.device_id = listed.device_id)
    order by listed.device_id
    returning null::bigint as before, service_line_id as after`.execute(db)
  const moved = [...updated.rows, ...inserted.rows]
  if (complete) {
    const removed = await sql<Moved>`
      update terminals as known set removed_at = now()
      where known.tenant_id = ${tenantId} and known.credential_id = ${credentialId} and known.removed_at is null
        and known.device_id <> all (${terminals.map((terminal) => terminal.userTerminalId)}::text[])
      returning service_line_id as before, null::bigint as after`.execute(db)
    moved.push(...removed.rows)
  }
  return moved.flatMap(({ before, after }) => [before, after].filter((id) => id !== null))
}

// The stream includes the prefix, the inventory may omit it.
const streamRouterId = (routerId: string) => (routerId.startsWith('Router-') ? routerId : `Router-${routerId}`)

export const storeRouters = async (
  db: Db,
  { tenantId, credentialId, terminals, complete }: Inventory,
): Promise<void> => {
  const rows = terminals.flatMap((terminal) =>
    terminal.routers.map((router) => ({
      router_id: streamRouterId(router.routerId),
      device_id: terminal.userTerminalId,
    })),
  )
  const listed = sql`(
    select distinct on (listed.router_id) listed.router_id, terminals.id as terminal_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as listed (router_id text, device_id text)
    join terminals on terminals.tenant_id = ${tenantId} and terminals.device_id = listed.device_id
  ) as listed`
  await sql`
    update routers as known set terminal_id = listed.terminal_id, removed_at = null
    from ${listed}
    where known.tenant_id = ${tenantId} and known.router_id = listed.router_id
      and (known.terminal_id, known.removed_at) is distinct from (listed.terminal_id, null)`.execute(db)
  await sql`
    insert into routers (tenant_id, terminal_id, router_id)
    select ${tenantId}, listed.terminal_id, listed.router_id from ${listed}
    where not exists (
      select from routers as known where known.tenant_id = ${tenantId} and known.router_id = listed.router_id)`.execute(
    db,
  )
  if (!complete) return
  await sql`
    update routers as known set removed_at = now()
    from terminals
    where known.tenant_id = ${tenantId} and known.removed_at is null
      and terminals.tenant_id = known.tenant_id and terminals.id = known.terminal_id
      and terminals.credential_id = ${credentialId}
      and known.router_id <> all (${rows.map((row) => row.router_id)}::text[])`.execute(db)
}
