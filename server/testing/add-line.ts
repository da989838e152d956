import type { Insertable } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { DB } from '../platform/database/schema.ts'

interface NewLine extends Partial<Insertable<DB['service_lines']>> {
  service_line_number: string
  group_name: string
  /** Its terminals; one by default. */
  terminals?: readonly Partial<Insertable<DB['terminals']>>[]
}

/** The default credential of all lines of a tenant. It connects to no vendor. */
export const addCredential = async (db: Db, tenantId: string) => {
  const { id } = await db
    .insertInto('vendor_credentials')
    .values({
      tenant_id: tenantId,
      base_url: 'http://127.0.0.1:9/',
      token_url: 'http://127.0.0.1:9/',
      client_id: 'client',
      client_secret: Buffer.of(0),
    })
    .onConflict((clash) =>
      clash.columns(['tenant_id', 'client_id']).doUpdateSet((row) => ({ base_url: row.ref('excluded.base_url') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds a service line like the inventory. The nickname defaults to the line's number. */
export const addLine = async (db: Db, tenantId: string, { terminals = [{}], ...line }: NewLine) => {
  const number = line.service_line_number
  const credentialId = line.credential_id ?? (await addCredential(db, tenantId))
  const { id: lineId } = await db
    .insertInto('service_lines')
    .values({
      tenant_id: tenantId,
      credential_id: credentialId,
      nickname: number,
      account_group: 'Dishboard',
      active: true,
      public_ip: false,
      ...line,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const terminalIds: number[] = []
  for (const [index, terminal] of terminals.entries()) {
    const device = `${number}-${index + 1}`
    const { id } = await db
      .insertInto('terminals')
      .values({
        tenant_id: tenantId,
        credential_id: credentialId,
        service_line_id: lineId,
        device_id: device,
        kit_serial: `KIT-${device}`,
        ...terminal,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    terminalIds.push(id)
  }
  return { lineId, terminalIds }
}
