import type { commands } from '#contract/commands.ts'
import { conflict } from '#contract/errors.ts'
import type { RouteInput } from '#contract/route.ts'
import type { SnowMeltMode } from '#contract/snow-melt.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getRequestedLine, getRequestedTerminal } from './requested-line.ts'
import { sendCommand } from './send-command.ts'

export const setSnowMelt = async (
  context: Context,
  { nickname, terminal_id, snowMeltMode }: RouteInput<typeof commands.setSnowMelt>,
): Promise<{ snowMeltMode: SnowMeltMode }> => {
  const { tenantId } = context
  await sendCommand(context, async (db, client) => {
    const line = await getRequestedLine(client, tenantId, { nickname })
    const terminal = getRequestedTerminal(line, terminal_id)
    const configId = await getConfigId(db, tenantId, snowMeltMode)
    return {
      kind: 'snow_melt',
      desired: snowMeltMode,
      line,
      terminal,
      before: {},
      readsBack: false,
      isFinal: true,
      send: (vendor) => vendor.assignConfig({ configId, userTerminalIds: [terminal.device_id] }),
      store: (db) => storeConfigId(db, tenantId, terminal.id, configId),
    }
  })
  return { snowMeltMode }
}

const getConfigId = async (db: Db, tenantId: string, mode: SnowMeltMode): Promise<string> => {
  const row = await db
    .selectFrom('snow_melt_configs')
    .select('config_id')
    .where('tenant_id', '=', tenantId)
    .where('mode', '=', mode)
    .executeTakeFirst()
  if (!row)
    throw conflict(
      `Snow melt ${mode} cannot be set: no Starlink configuration is entered for it. Please contact your administrator.`,
    )
  return row.config_id
}

const storeConfigId = async (db: Db, tenantId: string, terminalId: number, configId: string) => {
  await db
    .updateTable('terminals')
    .set({ config_id: configId })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', terminalId)
    .execute()
}
