import { sql } from 'kysely'
import { receiptsShown } from '#contract/command-receipt.ts'
import type { Db } from '../platform/database/database.ts'

/** As long as pages list the events of commands. */
const FEWEST_DAYS = 90

/**
 * Deletes settled commands after as many days as the security events of the tenant, because both name users. Those that the
 * page of a line shows are retained.
 */
export const purgeCommands = async (db: Db, tenantId: string, now: Date, retentionDays: number) => {
  const before = new Date(now.getTime() - Math.max(FEWEST_DAYS, retentionDays) * 86_400_000)
  await sql`
    delete from commands
    where tenant_id = ${tenantId} and settled_at is not null and requested_at < ${before} and exists (
      select from commands as newer
      where newer.tenant_id = commands.tenant_id and newer.service_line_id = commands.service_line_id
        and newer.id > commands.id
      order by newer.id offset ${receiptsShown - 1})`.execute(db)
}
