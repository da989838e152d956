import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { findAlertText } from '#contract/alerts.ts'
import { commands } from '#contract/commands.ts'
import { formatUptime } from '#contract/format/durations.ts'
import { type SnowMeltMode, snowMeltModes } from '#contract/snow-melt.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { call } from '../../api.ts'
import { Copyable } from '../../ui/Copyable.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { CommandHistory } from './CommandHistory.tsx'
import { CommandSelect } from './CommandSelect.tsx'
import { useControlDenied } from './control.ts'
import { useDetailChange } from './detail.ts'
import { InfoItem, InfoList } from './InfoList.tsx'
import { Reboot } from './Reboot.tsx'
import { findReceipt } from './receipts.ts'
import classes from './TerminalPage.module.css'

const clockIntervalMs = 5000

interface ShownTerminal {
  terminal: TerminalData
  detail: TerminalDetail
  kitnumber: string
}

interface TerminalTabProps extends ShownTerminal {
  /** The charts, below the alerts and above the details. */
  children: ReactNode
}

export function TerminalTab({ terminal, detail, kitnumber, children }: TerminalTabProps) {
  const nowMs = useNow(clockIntervalMs)
  const addresses = [terminal.ipv4, terminal.ipv6_ue, terminal.ipv6_cpe].filter((it): it is string => Boolean(it))
  return (
    <>
      {terminal.activeAlerts.length > 0 && (
        <Alert
          variant="outline"
          icon={<AlertIcon />}
          title="Active alerts"
          classNames={{ root: classes.alerts, label: classes.alertTitle, icon: classes.alertTitle }}
        >
          <ul>
            {terminal.activeAlerts.map((alert) => (
              <ActiveAlert key={alert} alert={alert} />
            ))}
          </ul>
        </Alert>
      )}
      {children}
      <div className={classes.columns} data-two>
        <InfoList>
          <InfoItem name="KIT NUMBER" copy={terminal.deviceid} />
          <InfoItem name="STARLINK ID" copy={terminal.kitnumber} />
          <InfoItem name="IPs">
            {addresses.length === 0 && 'N/A'}
            {addresses.map((address) => (
              <Copyable key={address} text={address} of="address" />
            ))}
          </InfoItem>
          <InfoItem name="UPTIME">{terminal.uptime === null ? 'N/A' : formatUptime(terminal.uptime)}</InfoItem>
          <InfoItem name="LAST UPDATED">
            {terminal.update_from_telemetry ? <TimeAgo at={terminal.update_from_telemetry} nowMs={nowMs} /> : 'N/A'}
          </InfoItem>
        </InfoList>
        <section className={classes.commands} aria-label="Commands">
          <Reboot terminal={terminal} detail={detail} kitnumber={kitnumber} />
          {/* The mode is not recorded for the past. */}
          {!detail.past && <SnowMelt terminal={terminal} detail={detail} kitnumber={kitnumber} />}
          <CommandHistory detail={detail} deviceid={terminal.deviceid} />
        </section>
      </div>
    </>
  )
}

function ActiveAlert({ alert }: { alert: string }) {
  const known = findAlertText(alert)
  if (!known) return <li>{alert}</li>
  return (
    <li title={alert} data-severity={known.severity}>
      <strong>{known.title}</strong>: {known.meaning} {known.action}
    </li>
  )
}

function SnowMelt({ terminal: { deviceid, terminal_config }, detail, kitnumber }: ShownTerminal) {
  const { nickname } = detail.service_line_data
  const change = useDetailChange(
    kitnumber,
    (snowMeltMode: SnowMeltMode) => call(commands.setSnowMelt, { nickname, snowMeltMode, terminal_id: deviceid }),
    (before, { snowMeltMode }) => ({
      ...before,
      terminal_data: before.terminal_data.map((each) =>
        each.deviceid === deviceid ? { ...each, terminal_config: { snowMeltMode } } : each,
      ),
    }),
  )
  return (
    <CommandSelect
      label="Snow Melt Mode"
      value={terminal_config.snowMeltMode}
      choices={snowMeltModes}
      isUpdating={change.isPending}
      denied={useControlDenied()}
      receipt={findReceipt(detail.receipts, 'snow_melt', deviceid)}
      onChoose={(mode) => change.mutate(mode)}
    />
  )
}
