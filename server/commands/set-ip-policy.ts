import { sql } from 'kysely'
import type { commands, IpPolicy } from '#contract/commands.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Line } from '../service-lines/get-line.ts'
import { getRequestedLine } from './requested-line.ts'
import { sendCommand } from './send-command.ts'

export const setIpPolicy = async (
  context: Context,
  { nickname, sl, ip_policy }: RouteInput<typeof commands.setIpPolicy>,
): Promise<{ ip_policy: IpPolicy }> => {
  await sendCommand(context, async (db, client) => {
    const line = await getRequestedLine(client, context.tenantId, { nickname, sl })
    return {
      kind: 'ip_policy',
      desired: ip_policy,
      line,
      terminal: null,
      before: {
        ip_policy: line.public_ip ? 'public ip' : 'default',
        addresses: await listAddresses(db, context.tenantId, line),
      },
      readsBack: true,
      send: (vendor) => vendor.setPublicIp(line.service_line_number, ip_policy === 'public ip'),
    }
  })
  return { ip_policy }
}

const listAddresses = async (db: Db, tenantId: string, { terminals }: Line): Promise<string[]> => {
  if (terminals.length === 0) return []
  const rows = await db
    .selectFrom('latest_addresses')
    .select('ipv4')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`terminal_id = any(${terminals.map(({ id }) => id)}::bigint[])`)
    .execute()
  return rows.flatMap(({ ipv4 }) => ipv4).sort()
}
