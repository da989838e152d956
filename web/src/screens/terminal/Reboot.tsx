import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { commands } from '#contract/commands.ts'
import { formatCount } from '#contract/format/numbers.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { call } from '../../api.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { useControlDenied } from './control.ts'
import { useDetailChange } from './detail.ts'
import { Receipt } from './Receipt.tsx'
import { findReceipt } from './receipts.ts'
import classes from './TerminalPage.module.css'

const notReporting = 'This terminal does not report, so it cannot receive a reboot.'

interface RebootProps {
  terminal: TerminalData
  detail: TerminalDetail
  kitnumber: string
}

/** Asks for confirmation, because it interrupts service for all users of the terminal. */
export function Reboot({ terminal, detail, kitnumber }: RebootProps) {
  const { deviceid, status, routers } = terminal
  const { nickname } = detail.service_line_data
  const isAskedFor = useLocation({ select: ({ state }) => state.asks === 'reboot' })
  const [isAsking, setAsking] = useState(isAskedFor)
  const noPermission = useControlDenied()
  const denied = noPermission ?? (status === 'online' ? undefined : notReporting)
  const reboot = useDetailChange(
    kitnumber,
    () => call(commands.reboot, { nickname, terminal_id: deviceid }),
    (before) => before,
  )
  const confirm = () => {
    setAsking(false)
    reboot.mutate(undefined)
  }
  return (
    <div>
      <Button
        variant="default"
        h="var(--touch)"
        disabled={reboot.isPending || denied !== undefined}
        title={denied}
        onClick={() => setAsking(true)}
      >
        Reboot
      </Button>
      {denied && <p className={classes.denied}>{denied}</p>}
      <Receipt receipt={findReceipt(detail.receipts, 'reboot', deviceid)} />
      <QuestionDialog
        title={`Reboot ${getDisplayName(detail.service_line_data)}?`}
        opened={isAsking && denied === undefined}
        pending={reboot.isPending}
        action="Reboot"
        isDangerous
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        The terminal is offline for about 2 to 5 minutes. {describeClients(routers)}
      </QuestionDialog>
    </div>
  )
}

const describeClients = (routers: TerminalData['routers']) => {
  const known = routers.flatMap(({ clients }) => clients ?? [])
  if (known.length === 0) return 'It is unknown how many devices are connected to it.'
  const clients = known.reduce((sum, count) => sum + count, 0)
  if (clients === 0) return 'No device is connected to it now.'
  return clients === 1
    ? 'One connected device loses its connection.'
    : `${formatCount(clients)} connected devices lose their connection.`
}
