import type { commands } from '#contract/commands.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { askVendor } from './ask-vendor.ts'
import { getLineOf, getTerminalOf } from './line-of.ts'

export const rebootTerminal = async (
  context: Context,
  { nickname, terminal_id }: RouteInput<typeof commands.reboot>,
): Promise<{ message: string }> => {
  await askVendor(context, async (_, client) => {
    const line = await getLineOf(client, context.tenantId, { nickname })
    const terminal = getTerminalOf(line, terminal_id)
    return {
      kind: 'reboot',
      wish: null,
      line,
      terminal,
      before: {},
      readsBack: false,
      send: (vendor) => vendor.rebootTerminal(terminal.device_id),
    }
  })
  return { message: 'The reboot was accepted.' }
}
