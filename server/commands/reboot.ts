import type { commands } from '#contract/commands.ts'
import { conflict } from '#contract/errors.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { getLineById, type Line, type LineTerminal } from '../service-lines/get-line.ts'
import { getRequestedLine, getRequestedTerminal } from './requested-line.ts'
import { type CommandContext, type CommandRequest, sendCommand } from './send-command.ts'

/** Reboots the terminal at a position on a line, starting at 1. */
export const rebootByPlace = (context: CommandContext, { lineId, place }: { lineId: number; place: number }) =>
  sendCommand(context, async (_, client) => {
    const line = await getLineById(client, context.tenantId, lineId)
    const terminal = line.terminals[place - 1]
    if (!terminal) throw conflict('This line has no such terminal.')
    return buildReboot(line, terminal)
  })

const buildReboot = (line: Line, terminal: LineTerminal): CommandRequest => ({
  kind: 'reboot',
  desired: null,
  line,
  terminal,
  before: {},
  readsBack: false,
  send: (vendor) => vendor.rebootTerminal(terminal.device_id),
})

export const rebootTerminal = async (
  context: Context,
  { nickname, terminal_id }: RouteInput<typeof commands.reboot>,
): Promise<{ message: string }> => {
  await sendCommand(context, async (_, client) => {
    const line = await getRequestedLine(client, context.tenantId, { nickname })
    const terminal = getRequestedTerminal(line, terminal_id)
    return buildReboot(line, terminal)
  })
  return { message: 'The reboot was accepted.' }
}
