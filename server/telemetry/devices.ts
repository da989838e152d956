import type { Db } from '../platform/database/database.ts'

/** The database row of each device in the stream. */
export interface Devices {
  terminals: Map<string, { id: number; serviceLineId: number | null; credentialId: number }>
  routers: Map<string, { id: number; terminalId: number | null }>
}

/**
 * Includes devices of removed lines and terminals, because the vendor may still report them and they may come back.
 * Includes the tenant's devices of all credentials, because a terminal that moved to another account keeps its history.
 */
export const listDevices = async (db: Db): Promise<Devices> => {
  const terminals = await db
    .selectFrom('terminals')
    .select(['id', 'device_id', 'service_line_id', 'credential_id'])
    .execute()
  const routers = await db.selectFrom('routers').select(['id', 'router_id', 'terminal_id']).execute()
  return {
    terminals: new Map(
      terminals.map(
        ({ id, device_id, service_line_id, credential_id }) =>
          [device_id, { id, serviceLineId: service_line_id, credentialId: credential_id }] as const,
      ),
    ),
    routers: new Map(routers.map((row) => [row.router_id, { id: row.id, terminalId: row.terminal_id }] as const)),
  }
}
