import type { commands } from '#contract/commands.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { getRequestedLine, getRequestedTerminal } from './requested-line.ts'
import { sendCommand } from './send-command.ts'

export const rebootTerminal = async (
  context: Context,
  { nickname, terminal_id }: RouteInput<typeof commands.reboot>,
): Promise<{ message: string }> => {
  await sendCommand(context, async (_, client) => {
    const line = await getRequestedLine(client, context.tenantId, { nickname })
    const terminal = getRequestedTerminal(line, terminal_id)
    return {
      kind: 'reboot',
      desired: null,
      line,
      terminal,
      before: {},
      readsBack: false,
      send: (vendor) => vendor.rebootTerminal(terminal.device_id),
    }
  })
  return { message: 'The reboot was accepted.' }
}
