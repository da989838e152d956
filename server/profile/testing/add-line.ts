import type { Database } from '../../platform/database/database.ts'

interface Line {
  nickname: string
  group: string
  city?: string
}

/** Adds a service line with one terminal and returns the line's id. */
export const addLine = (database: Database, tenantId: string, { nickname, group, city }: Line): Promise<string> =>
  database.transaction({ tenantId }, async (db) => {
    const credential = await db
      .insertInto('vendor_credentials')
      .values({ tenant_id: tenantId, base_url: '-', token_url: '-', client_id: nickname, client_secret: Buffer.of(0) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const line = await db
      .insertInto('service_lines')
      .values({
        tenant_id: tenantId,
        credential_id: credential.id,
        service_line_number: `SL-${nickname}`,
        nickname,
        group_name: group,
        account_group: 'Dishboard',
        active: true,
        public_ip: false,
        city: city ?? null,
        state: city === undefined ? null : 'AK',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('terminals')
      .values({
        tenant_id: tenantId,
        credential_id: credential.id,
        service_line_id: line.id,
        device_id: `device-${nickname}`,
      })
      .execute()
    return String(line.id)
  })
