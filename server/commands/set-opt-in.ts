import type { commands, OptIn } from '#contract/commands.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { getRequestedLine } from './requested-line.ts'
import { sendCommand } from './send-command.ts'

export const setOptIn = async (
  context: Context,
  { nickname, sl, opt_in }: RouteInput<typeof commands.setOptIn>,
): Promise<{ opt_in: OptIn }> => {
  await sendCommand(context, async (_, client) => {
    const line = await getRequestedLine(client, context.tenantId, { nickname, sl })
    return {
      kind: 'opt_in',
      desired: opt_in,
      line,
      terminal: null,
      before: { opt_in: line.opt_in_product_id === null ? 'opt out' : 'opt in' },
      readsBack: true,
      send: (vendor) =>
        opt_in === 'opt in' ? vendor.optIn(line.service_line_number) : vendor.optOut(line.service_line_number),
    }
  })
  return { opt_in }
}
