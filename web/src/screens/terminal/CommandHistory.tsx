import type { CommandKind, CommandReceipt } from '#contract/command-receipt.ts'
import { formatLength } from '#contract/format/durations.ts'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { stateTexts } from './receipts.ts'
import classes from './TerminalPage.module.css'

const kindTexts: Record<CommandKind, string> = {
  reboot: 'Reboot',
  ip_policy: 'IP policy',
  opt_in: 'Automatic top up',
  snow_melt: 'Snow melt mode',
}

const AGE_INTERVAL_MS = 5000

/** The newest commands to a terminal and to its line: who sent them, when, and their results. */
export function CommandHistory({ detail, deviceid }: { detail: TerminalDetail; deviceid: string }) {
  const nowMs = useNow(AGE_INTERVAL_MS)
  const commands = detail.receipts.filter((receipt) => receipt.deviceid === null || receipt.deviceid === deviceid)
  if (commands.length === 0) return null
  return (
    <details className={classes.history}>
      <summary>Command history</summary>
      <ol aria-label="Command history">
        {commands.map((command) => (
          <li key={command.id}>
            {describeCommand(command)}. <TimeAgo at={command.requestedAt} nowMs={nowMs} /> by {command.requestedBy}.
            {describeReturn(command)}
            {command.problem && ` ${command.problem}`}
          </li>
        ))}
      </ol>
    </details>
  )
}

const describeCommand = ({ kind, desired, state }: CommandReceipt) =>
  `${kindTexts[kind]}${desired === null ? '' : ` ${desired}`}: ${stateTexts[state]}`

/** A reboot is confirmed when the terminal reports again with a reset uptime. */
const describeReturn = ({ kind, state, acceptedAt, settledAt }: CommandReceipt) =>
  kind === 'reboot' && state === 'seen' && acceptedAt && settledAt
    ? ` Back after ${formatLength((settledAt.getTime() - acceptedAt.getTime()) / 1000)}.`
    : ''
